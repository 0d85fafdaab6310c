"""What a typed question asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.analyse import analyse, content_words, match_any, match_musts, match_nots
from memlite.types.query import Filters


@pytest.mark.parametrize(
    ("text", "words", "phrases", "required", "excluded"),
    [
        ("connection pool", "connection pool", "", "", ""),
        ("cross-layer fusion", "cross-layer fusion", "", "", ""),
        ("decided on 2026-03-01", "decided on 2026-03-01", "", "", ""),
        ("don't ask what's new", "don't ask what new", "", "", ""),
        ("Caroline's pool", "Caroline pool", "", "", ""),
        ("the users' data isn't theirs'", "the users data isn't theirs", "", "", ""),
        ("run --dry-run -v", "run --dry-run", "", "", "v"),
        ("pool +timeout -redis", "pool timeout", "", "timeout", "redis"),
        ('"connection pool" size', "connection pool size", "connection pool", "", ""),
        ("“connection pool” size", "connection pool size", "connection pool", "", ""),
        ('pool -"read timeout"', "pool", "", "", "read timeout"),
        ('+"read timeout" pool', "read timeout pool", "read timeout", "", ""),
        ('say "hello', "say hello", "", "", ""),
        ("a - b + c", "a b c", "", "", ""),
        ("x-y -z", "x-y", "", "", "z"),
        ("1 -- 2", "1 2", "", "", ""),
        ("AND OR NOT", "AND OR NOT", "", "", ""),
        ("text:x (y) [z]", "text:x y z", "", "", ""),
        ("C++ and C#", "C++ and C#", "", "", ""),
        ("' OR 1=1 --", "OR 1=1", "", "", ""),
        ("", "", "", "", ""),
        ('"" * ?', "", "", "", ""),
        ("pool pool", "pool", "", "", ""),
    ],
)
def test_questions(text, words, phrases, required, excluded):
    query = analyse(text, Filters())
    assert " ".join(query.words) == words
    assert " ".join(query.phrases) == phrases
    assert " ".join(query.required) == required
    assert " ".join(query.excluded) == excluded


def test_words_that_say_nothing_are_left_out_unless_nothing_else_is_there():
    assert content_words(analyse("What did we say about the pool?", Filters())) == ("say", "pool")
    assert content_words(analyse("who are you", Filters())) == ("who", "are", "you")
    assert content_words(analyse("what’s that", Filters())) == ("what", "that")


@given(st.text())
def test_any_text_is_a_question(text):
    query = analyse(text, Filters())
    for expression in (match_any(query), match_musts(query), match_nots(query)):
        assert "\0" not in expression
    assert set(content_words(query)) <= set(query.words)
    assert bool(query.words) == bool(content_words(query))
