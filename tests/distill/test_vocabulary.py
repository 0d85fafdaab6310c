"""Tests of memlite.distill.vocabulary."""

import pytest

from memlite.distill.vocabulary import WORKFLOW_KEYS, cues, workflow


@pytest.mark.parametrize(
    ("word", "following", "expected"),
    [
        ("Deployed", "it", "deployment"),
        ("pull", "requests", "code-review"),
        ("pull", "up", ""),
        ("PR", "is", "code-review"),
        ("prints", "it", ""),
        ("Übersetzung", "fertig", "translation"),
        ("commit", "", "git-commit"),
    ],
)
def test_workflow(word: str, following: str, expected: str) -> None:
    assert workflow(word, following) == expected
    assert expected == "" or expected in WORKFLOW_KEYS


def test_cues() -> None:
    assert cues("decided") == ("decision", "turn")
    assert cues("because") == ("cause",)
    assert cues("lol") == ("chat",)
    assert cues("maybe") == ("hedge",)
    assert cues("house") == ()
