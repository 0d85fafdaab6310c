"""Tests of memlite.extract.settle."""

from memlite.extract.settle import settle
from memlite.types.records import Heard, Record


def settled(*said):
    messages = [Heard(ply, "user", content, "Ana") for ply, content in enumerate(said)]
    records = [Record(content, "fact", ply, 0, len(content), "Ana") for ply, content in enumerate(said)]
    return [record.content for record in settle(records, messages)]


def test_the_last_word_stands():
    first, last = (
        "The kick-off with Halvorsen is on Monday 4 May.",
        "The kick-off with Halvorsen is on Wednesday 6 May.",
    )
    assert settled(first, last) == [last]
    assert settled(first, first) == [first]


def test_a_correction_needs_fewer_common_words():
    first, last = "The cottage rental costs 900 euros.", "no, the cottage costs 950."
    assert settled(first, last) == [last]
    assert settled(first, last.removeprefix("no, ")) == [first, last.removeprefix("no, ")]


def test_different_claims_stay():
    both = ["Ana's sister lives in Porto.", "Ana's brother hates cilantro."]
    assert settled(*both) == both
