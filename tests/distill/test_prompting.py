"""What a model is asked: the exchange is data whatever it says, and fits however long it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.distill import prompting
from memlite.distill.prompting import MARK, question, shortened
from memlite.distill.survival import rarest
from memlite.types.palace import Exchange, Turn
from tests.generators import INJECTED

FIELDS = ("exchange_core", "specific_context", "rooms")
TURNS = st.lists(
    st.builds(
        Turn, st.sampled_from(["user", "assistant"]), st.text(max_size=300) | st.sampled_from(INJECTED), st.just("")
    ),
    max_size=30,
).map(tuple)


def by_words(text):
    return len(text.split())


def by_bytes(text):
    return len(text.encode())


# -- the question --


def test_a_question_names_its_fields_in_order_and_no_other():
    asked = question(["rooms", "exchange_core"])
    assert asked.index('"rooms"') < asked.index('"exchange_core"')
    assert "specific_context" not in asked
    assert prompting.KEEP not in asked
    assert asked == question(["rooms", "exchange_core"], keep=())


def test_words_to_keep_come_last():
    assert question(["exchange_core"], keep=("enospc", "{x}", "%s")).endswith("Keep these words: enospc, {x}, %s.")


@given(st.lists(st.sampled_from(INJECTED) | st.text(max_size=60), max_size=5).map("\n".join))
def test_words_to_keep_hold_no_mark_of_a_model_and_no_line(text):
    """They are the only words of the exchange outside of the fence."""
    assert not any(set(word) & set('<>|[]{}~%\n\r"') for word in rarest(text))


def test_the_prompt_has_no_fact_that_could_turn_up_in_a_memory():
    text = "\n".join((prompting.INSTRUCTION, question(FIELDS)))
    assert not re.search(r"\d", text)
    inner = re.findall(r"(?<![.!?:\n] )(?<!^)\b[A-Z]\w+", text.replace("\n", ". "))
    assert set(inner) <= {"JSON", "Write"}


# -- the length --


def test_a_short_exchange_is_put_as_it_was_said():
    turns = (Turn("user", "Why?", ""), Turn("assistant", " Because {x}\n%s ", "Bo"))
    assert shortened(Exchange(turns), by_words, 100) == "user: Why?\nBo:  Because {x}\n%s "


def test_of_a_long_turn_its_head_and_its_tail_are_kept():
    words = " ".join(f"w{i}" for i in range(20_000))
    assert len(words) > 100_000
    turns = (Turn("user", "Why does it hang?", ""), Turn("assistant", words, ""))
    text = shortened(Exchange(turns), by_words, 200)
    asked, told = text.split("\n")
    assert asked == "user: Why does it hang?"
    head, tail = told.split(MARK)
    assert head.startswith("assistant: w0 w1 w2 ")
    assert tail.endswith(" w19998 w19999")
    assert len(head) > len(tail) > 80
    assert 60 < by_words(text) <= 200


def test_head_and_tail_of_every_long_turn_are_kept():
    turns = tuple(Turn(("user", "assistant")[i % 2], f"head{i} {'pool ' * 5_000}tail{i}", "") for i in range(6))
    text = shortened(Exchange(turns), by_words, 300)
    assert by_words(text) <= 300
    assert all(f": head{i} " in text and f" tail{i}" in text for i in range(6))


@pytest.mark.parametrize("count", [by_words, by_bytes])
def test_turns_without_end_fit_too(count):
    turns = tuple(Turn(("user", "assistant")[i % 2], f"turn {i} " + "pool " * 8, "") for i in range(3_000))
    text = shortened(Exchange(turns), count, 200)
    assert count(text) <= 200
    assert text.startswith("user: turn 0")
    assert text.endswith("pool ")
    assert MARK in text


@pytest.mark.parametrize("most", [200, 600, 1200, 2500])
@pytest.mark.parametrize("unit", ["x", "word ", "日本", "👩‍👩‍👧", "~", "\n", "a\u0301"])
def test_a_hundred_thousand_characters_fit_whatever_a_token_is(unit, most):
    content = unit * (100_000 // len(unit))
    exchange = Exchange((Turn("user", "Why?", ""), Turn("assistant", content, "")))
    for count in (by_words, by_bytes, len):
        assert count(shortened(exchange, count, most)) <= most


@given(TURNS, st.sampled_from([0, 20, 200]))
def test_it_comes_to_an_end_within_the_budget(turns, most):
    text = shortened(Exchange(turns), by_bytes, most)
    assert by_bytes(text) <= max(most, 4 * prompting.LEAST)
    if by_bytes("\n".join(f"{turn.label}: {turn.content}" for turn in turns)) <= most:
        assert MARK not in text
