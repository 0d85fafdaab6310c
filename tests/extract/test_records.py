"""Tests of memlite.extract.records, end to end: a window in, records out."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.extract import extract
from memlite.types.records import Heard, Window
from tests.extract.grounding import invented

LABELLED = Path(__file__).parents[3] / "shared" / "data" / "labelled"
MONDAY = "2026-05-04T10:00:00Z"


def window(*said, style="assistant", overlap=0):
    """A window of `speaker: text` lines; the assistant is `assistant`."""
    heard = []
    for ply, line in enumerate(said):
        speaker, _, content = line.partition(": ")
        role = "assistant" if speaker == "assistant" or (style == "peers" and ply % 2) else "user"
        heard.append(Heard(ply, role, content, speaker, MONDAY))
    return Window(tuple(heard), overlap, style)


def contents(*said, **how):
    return [record.content for record in extract(window(*said, **how))]


def test_a_thank_you_that_carries_a_fact_gives_the_fact():
    (record,) = extract(window("Ana: Thanks!! My sister Rita moved to Porto last week because she got a job there."))
    assert record.content == "Ana's sister Rita moved to Porto in the week of 27 April 2026."
    assert (record.time_start, record.time_end) == ("2026-04-27", "2026-05-03")
    assert (record.type, record.location, record.speaker) == ("episodic", "Porto", "Ana")
    assert record.reason == "she got a job there"
    assert record.said_at == MONDAY
    assert "Porto" in record.keywords
    assert 0 < record.confidence <= 1


@pytest.mark.parametrize(
    "said",
    [
        "hi there!",
        "Thanks so much, that worked!",
        "Can you make it shorter?",
        "make it shorter",
        "Should I use Rust for the parser?",
        "If I win the lottery, I'm buying a boat in Lisbon.",
        "What would happen if I moved to Porto in May?",
        "my api key is sk-abcdefghijklmnop1234",
    ],
)
def test_what_states_nothing_gives_nothing(said):
    assert contents(f"Ana: {said}", "assistant: Sure, here you go!") == []


def test_who_has_no_name_is_the_user():
    (content,) = contents("user: I'm allergic to peanuts.")
    assert content == "The user is allergic to peanuts."


def test_records_come_only_from_the_new_part_but_know_what_came_before():
    said = ("Ana: I moved to Porto in March.", "Bo: I bought a car in April.")
    assert contents(*said, style="peers") == ["Ana moved to Porto in March 2026.", "Bo bought a car in April 2026."]
    assert contents(*said, style="peers", overlap=1) == ["Bo bought a car in April 2026."]


def test_only_the_last_word_of_a_correction_is_kept():
    found = contents(
        "Ana: The kick-off with Halvorsen is on Monday 11 May.",
        "assistant: Noted.",
        "Ana: The kick-off with Halvorsen is on Wednesday 13 May.",
    )
    assert found == ["The kick-off with Halvorsen is on Wednesday 13 May 2026."]


def test_a_photo_is_an_event():
    found = extract(window("Ana: Look!\n[shares a photo: a red bicycle in a garden]", "Bo: wow", style="peers"))
    (record,) = [record for record in found if "photo" in record.content]
    assert record.content == "Ana shares a photo: a red bicycle in a garden."
    assert (record.type, record.time_start, record.time_end) == ("episodic", "2026-05-04", "2026-05-04")


def test_finished_work_is_of_the_day_it_is_told_on():
    found = extract(
        window("Ana: fix the cache", "assistant: Added an LRU cache of 64 MB to `src/cache.py`. 118 tests passed.")
    )
    added = next(record for record in found if "LRU" in record.content)
    assert added.content.startswith("The assistant added an LRU cache of 64 MB to src/cache.py")
    assert (added.type, added.time_start) == ("episodic", "2026-05-04")


def test_without_a_time_nothing_is_dated():
    heard = (Heard(0, "user", "I moved to Porto last week.", "Ana"),)
    assert [(record.time_start, record.time_end, record.said_at) for record in extract(Window(heard))] == [(None,) * 3]


def test_a_higher_threshold_gives_fewer_and_surer_records():
    some = window("Ana: I live in Porto. It was what it was. I think the thing is kind of there.")
    assert len(extract(some, 0.99)) <= len(extract(some, 0.3)) <= len(extract(some, 0.0))
    assert all(record.confidence >= 0.3 for record in extract(some, 0.3))


def labelled():
    if not LABELLED.is_dir():
        pytest.skip("no ../shared/data/labelled: the labelled windows are not part of the project")
    for path in sorted(LABELLED.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                row = json.loads(line)
                heard = tuple(
                    Heard(m["ply"], m["role"], m["content"], m["speaker"], m["said_at"]) for m in row["messages"]
                )
                yield row["lang"], Window(heard, row["overlap"], row["style"])


def test_records_of_real_talk_are_grounded_and_whole():
    for lang, one in labelled():
        by_ply = {message.ply: message for message in one.new}
        for record in extract(one):
            content = by_ply[record.ply].content
            assert 0 <= record.start < record.end <= len(content)
            assert record.content
            assert record.time_end is None or (record.time_start or "") <= record.time_end
            if lang == "en":
                assert invented(record, one) == set(), record.content


SCRAPS = st.sampled_from(
    [
        *"I my we you she he it and but because so if yesterday last Friday on in May 2023 Porto Ana Bo moved".split(),
        *"have don't never . , ! ? the cache.py 64 MB 我 去 was 's https://x.y () ` - \u2014 \U0001f600".split(),
        *"until since tomorrow shares [ ] : \u2019 y".split(),
        "\n",
    ]
)


@given(st.lists(st.lists(SCRAPS, max_size=25).map(" ".join), max_size=4), st.sampled_from(["assistant", "peers"]))
def test_any_text_gives_grounded_records_and_twice_the_same(texts, style):
    heard = tuple(
        Heard(ply, "assistant" if ply % 2 else "user", text, "Bo" if ply % 2 else "Ana", MONDAY)
        for ply, text in enumerate(texts)
    )
    one = Window(heard, min(1, len(heard)), style)
    found = extract(one, 0.0)
    assert found == extract(one, 0.0)
    for record in found:
        message = heard[record.ply]
        assert record.ply >= one.overlap
        assert 0 <= record.start < record.end <= len(message.content)
        assert invented(record, one) == set()
