"""Tests of memlite.extract.settle."""

from memlite.extract import extract
from memlite.extract.settle import settle
from memlite.types.records import Heard, Record, Window


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


def test_what_happened_twice_is_two_records():
    said = "I adopted cat number {} on {} May 2023 from the shelter in Bergen."
    window = Window(
        tuple(
            Heard(ply, "user", said.format(ply + 1, ply + 1), "Nadia", f"2023-06-0{ply + 1}T10:00:00Z")
            for ply in range(3)
        ),
        style="peers",
    )
    assert [record.time_start for record in extract(window)] == ["2023-05-01", "2023-05-02", "2023-05-03"]
