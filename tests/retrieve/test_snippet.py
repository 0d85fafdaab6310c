"""Snippets show the match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.snippet import WIDTH, cut, occurrences
from memlite.store import lexical
from memlite.store.connection import Store

FILLER = "nothing of interest was said here for quite a while "


@pytest.fixture(scope="module")
def tokenise(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("snippet") / "memory.db")
    yield lambda text: lexical.tokenise(store.con, text)
    store.close()


@pytest.mark.parametrize(
    ("said", "word", "shown"),
    [
        ("the pool timed out", "pool", "pool"),
        ("The Pool timed out", "pool", "Pool"),
        ("the pools were timing out", "timed", "timing"),
        ("call getUserById first", "user", "getUserById"),
        ("call getUserById first", "user_id", "getUserById"),
        ("released v2.4.7-hotfix", "2.4.7", "2.4.7"),
        ("commit 9f3c2ab41d7e", "9f3c2a", "9f3c2ab41d7e"),
        ("数据库的超时时间太短", "数据库超时", "数据库"),
        ("东京的天气很好", "东京", "东京"),
        ("a ação concluída", "acao", "ação"),
        ("say 'hello world' now", "hello world", "hello world"),
        ("x" * 300 + " rest", "x" * 300, "x" * 150),  # longer than a snippet
    ],
)
@pytest.mark.parametrize("before", ["", FILLER * 20, "é😀 " * 100])
def test_a_snippet_contains_the_match(tokenise, said, word, shown, before):
    content = f"{before}{said} {FILLER * 20}"
    found = occurrences(content, [word], tokenise)
    assert found
    assert shown in cut(content, found)


def test_a_snippet_shows_as_many_words_as_it_can(tokenise):
    content = f"pool {FILLER * 10} the pool size was 5 with a timeout of 30 {FILLER * 10} timeout"
    shown = cut(content, occurrences(content, ["pool", "timeout", "size"], tokenise))
    assert "pool size was 5 with a timeout" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_a_snippet_is_short_and_on_one_line(tokenise):
    content = "\n\n".join(["line of a log with pool"] * 500)
    shown = cut(content, occurrences(content, ["pool"], tokenise))
    assert "\n" not in shown
    assert len(shown) <= WIDTH + 2


def test_without_a_match_it_shows_the_beginning(tokenise):
    assert cut("short", []) == "short"
    assert cut(FILLER * 20, []).startswith("nothing of interest")


@given(content=st.text(max_size=600), words=st.lists(st.text(min_size=1, max_size=250), max_size=4))
def test_nothing_raises(tokenise, content, words):
    for given_words in (words, content.split()[:5]):
        found = occurrences(content, given_words, tokenise)
        assert all(0 <= place.start <= place.end <= len(content) for place in found)
        cut(content, found)
