"""Messages without id and time: known by their order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.memory import Memory
from tests.embedders import WordEmbedder


def said(con):
    return [content for (content,) in con.execute("select content from message order by seq")]


def add(memory, talk, texts, **where):
    report = memory.add(talk(*texts.split("|"), start=None), **where)
    assert report.records_in == report.stored + report.duplicate + sum(report.skipped.values())
    return report.stored


def test_the_same_conversation_five_times_is_stored_once(memory, con, talk):
    stored = [add(memory, talk, "why?|because|yes|fine|yes|fine") for _ in range(5)]
    assert stored == [6, 0, 0, 0, 0]
    assert said(con) == "why? because yes fine yes fine".split()
    assert memory.status().exchanges == 3


def test_one_message_five_times_is_stored_once(memory, con, talk):
    assert [add(memory, talk, "the pool has 5 connections") for _ in range(5)] == [1, 0, 0, 0, 0]
    assert con.execute("select sum(records_in), sum(stored), sum(duplicate) from ledger").get == (5, 1, 4)


@pytest.mark.parametrize(
    ("first", "then", "stored"),
    [
        ("a|b", "a|b|c|d", 2),  # a longer conversation is handed over
        ("a|b|c|d", "c|d|e", 1),  # the end overlaps with the beginning
        ("a|b|c|d|e|f", "c|d", 0),  # a piece from the middle
        ("a|b|c|d", "a|b|x", 1),  # another ending of the same beginning
        ("a|b|yes|c", "yes|d", 2),  # yes is said again, and answered otherwise
        ("a|b|yes", "yes|d", 1),  # yes was the last word
        ("a|noted", "b|noted", 2),
        ("a|a|a", "a|a|a|a", 1),
        ("a|b", "c|d", 2),
    ],
)
def test_what_the_conversation_holds_is_not_stored_again(memory, con, talk, first, then, stored):
    add(memory, talk, first)
    assert add(memory, talk, then) == stored
    wanted = first.split("|") + then.split("|")[len(then.split("|")) - stored :]
    assert said(con) == wanted if stored else first.split("|")
    assert add(memory, talk, then) == 0


def test_another_conversation_is_another_matter(memory, con, talk):
    assert add(memory, talk, "a|b", conversation="one") == 2
    assert add(memory, talk, "a|b", conversation="two") == 2


def test_speakers_tell_equal_words_apart(memory, con):
    for speaker in ("Nadia", "Ilias", "Nadia"):
        memory.add([{"speaker": speaker, "content": "yes"}])
    assert con.execute("select speaker, content from message order by seq").fetchall() == [
        ("Nadia", "yes"),
        ("Ilias", "yes"),
    ]


@settings(max_examples=30, deadline=None)
@given(
    words=st.lists(st.sampled_from(["yes", "no", "ok", "why", "so"]), min_size=1, max_size=12),
    cuts=st.lists(st.integers(1, 12), max_size=4),
)
def test_a_conversation_handed_over_as_it_grows_is_stored_once(tmp_path_factory, talk, words, cuts):
    with Memory(tmp_path_factory.mktemp("grown") / "memory.db", embedder=WordEmbedder()) as memory:
        for end in sorted({min(cut, len(words)) for cut in cuts} | {len(words)}):
            memory.add(talk(*words[:end], start=None))
        assert said(memory._store.con) == words
        assert memory.add(talk(*words, start=None)).stored == 0
