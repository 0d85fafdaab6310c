"""Tests of memlite.extract.wording."""

import pytest

from memlite.extract.voice import Voice
from memlite.extract.wording import advice, finished, is_hollow, is_order, mended, owned, plain, ruled

ANA, ANSWERS = Voice("Ana"), Voice("the assistant", "Ana")


def test_advice_is_reported():
    assert advice("the assistant would take the train", ANSWERS) == "the assistant recommended to take the train"
    assert advice("Use a bounded queue", ANSWERS) == "the assistant recommended to use a bounded queue"
    assert advice("The queue is bounded", ANSWERS) == "The queue is bounded"
    assert advice("Run 1 failed", ANSWERS) == "Run 1 failed"
    assert advice("the assistant suggested Redis", ANSWERS) == "the assistant recommended Redis"
    assert advice("the assistant suggests to wait", ANSWERS) == "the assistant recommended to wait"
    assert advice("Dry air opens seams", ANSWERS) == "Dry air opens seams"
    assert advice("Dry the shirts", ANSWERS) == "the assistant recommended to dry the shirts"


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('failed with "Cannot allocate memory', "failed with Cannot allocate memory"),
        ("my laptop didnt.)", "my laptop didnt."),
        ('so (she says) "no" :)', 'so (she says) "no" :)'),
        ("“one” and “two", "“one” and two"),
    ],
)
def test_half_a_pair_goes(text, expected):
    assert mended(text) == expected


def test_what_says_nothing_is_hollow():
    assert is_hollow("I took")
    assert is_hollow("will do")
    assert is_hollow("from to")
    assert not is_hollow("I took the train")
    assert not is_hollow("moving")


def test_interjections_are_no_part_of_a_claim():
    assert plain("ah the column is there") == "the column is there"
    assert plain("with the proof file") == "with the proof file"
