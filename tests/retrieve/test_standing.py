"""What holds now comes before what it took the place of, and nothing else moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.standing import arrange, asks_of_the_past
from memlite.store.history import Succession

# Exchange 1 says Hangzhou, 2 Shanghai, 3 Beijing; 7 and 8 are about something else.
CHAIN = [
    Succession(11, 1, 2, "2023-02-01", "2024-02-19"),
    Succession(12, 2, 3, "2024-02-19", "2025-05-01"),
]


def order(*ids, **asked):
    ranking = [(id, 1 - place / 10) for place, id in enumerate(ids)]
    arranged = arrange(ranking, CHAIN, **asked)
    assert [score for _, score in arranged] == sorted((score for _, score in arranged), reverse=True)
    return [id for id, _ in arranged]


def test_now():
    assert order(1, 7, 2, 3, 8) == [3, 2, 1, 7, 8]
    assert order(3, 7, 2, 1) == [3, 7, 2, 1]
    assert order(2, 7, 3)[:2] == [3, 2]


def test_before():
    assert order(3, 2, 1, past=True) == [2, 3, 1]
    assert order(3, 7, past=True)[0] == 2  # it comes in though no route found it


@pytest.mark.parametrize(("day", "first"), [("2023-06-01", 1), ("2024-06-01", 2), ("2026-01-01", 3)])
def test_as_of_a_day(day, first):
    assert order(3, 2, 1, as_of=day)[0] == first


@given(st.permutations([1, 2, 3, 7, 8, 9]), st.booleans())
def test_nothing_is_lost_and_what_is_in_no_chain_keeps_its_order(ids, past):
    arranged = order(*ids, past=past)
    assert sorted(arranged) == sorted(ids)
    others = (7, 8, 9)
    assert [id for id in arranged if id in others] == [id for id in ids if id in others]
    if not past:
        assert arranged.index(3) < arranged.index(2) < arranged.index(1)


def test_without_chains_nothing_moves():
    ranking = [(5, 0.9), (6, 0.1)]
    assert arrange(ranking, []) == ranking


@pytest.mark.parametrize(
    "question",
    ["where did I live before?", "Where did I previously work?", "Wo habe ich früher gewohnt?", "以前住哪里"],
)
def test_questions_of_the_past(question):
    assert asks_of_the_past(question)


@pytest.mark.parametrize("question", ["where do I live?", "beforehand", "what is the forename"])
def test_other_questions(question):
    assert not asks_of_the_past(question)
