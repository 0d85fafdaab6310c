"""Tests of memlite.extract.wording."""

import pytest

from memlite.extract.voice import Voice
from memlite.extract.wording import advice, finished, is_order, owned, plain, ruled

ANA, ANSWERS = Voice("Ana"), Voice("the assistant", "Ana")


def test_advice_is_reported():
    assert advice("the assistant would take the train", ANSWERS) == "the assistant recommended to take the train"
    assert advice("Use a bounded queue", ANSWERS) == "the assistant recommended to use a bounded queue"
    assert advice("The queue is bounded", ANSWERS) == "The queue is bounded"
    assert advice("Run 1 failed", ANSWERS) == "Run 1 failed"


def test_a_standing_rule_is_a_wish():
    assert ruled("no default exports in new files", ANA) == "Ana wants no default exports in new files"
    assert ruled("never push to main", ANA) == "Ana wants to never push to main"
    assert ruled("use British spelling from now on", ANA) == "Ana wants to use British spelling from now on"
    assert ruled("use British spelling", ANA) == "use British spelling"
    assert is_order("use British spelling")
    assert not is_order("British spelling is used")


def test_what_is_the_speakers_own():
    assert owned("mum says it rains", ANA) == "Ana's mum says it rains"
    assert owned("New address is 14 Quarry Steps", ANA) == "Ana's new address is 14 Quarry Steps"
    assert owned("Mothers like it", ANA) == "Mothers like it"
    assert owned("Back to the old food", ANA) == "Back to the old food"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana just bought a car, btw", "Ana bought a car"),
        ("it's on the shelf", "it is on the shelf"),
        ("what's been filed", "what has been filed"),
        ("they're old", "they are old"),
        ("lol", "lol"),
    ],
)
def test_plain(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the cat slept!!", "The cat slept."),
        ("it rained,", "It rained."),
        ("Fine.", "Fine."),
        ("李雷去北京", "李雷去北京。"),
        ("well…", "Well."),
    ],
)
def test_finished(text, expected):
    assert finished(text) == expected
