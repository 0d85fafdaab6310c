"""Tests of memlite.extract.verbs."""

import pytest

from memlite.extract.verbs import is_finite, is_past, third


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("am", "is"), ("have", "has"), ("don't", "doesn't"), ("can", "can"), ("went", "went"), ("worked", "worked"),
        ("try", "tries"), ("play", "plays"), ("go", "goes"), ("fix", "fixes"), ("hand", "hands"), ("on", "on"),
        ("running", "running"), ("Monday", "Monday"), ("fly", "flies"),
    ],
)  # fmt: skip
def test_third(verb, expected):
    assert third(verb) == expected


def test_past_and_finite():
    assert [word for word in ("went", "moved", "need", "red", "speed") if is_past(word)] == ["went", "moved"]
    assert [word for word in ("is", "it's", "lives", "house", "tries", "won't") if is_finite(word)] == [
        "is", "it's", "lives", "tries", "won't",
    ]  # fmt: skip
