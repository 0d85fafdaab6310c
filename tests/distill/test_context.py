"""Tests of memlite.distill.context."""

import pytest

from memlite.distill.context import MAX_CHARS, specific_context
from memlite.distill.core import subject
from memlite.text.clauses import readable, to_clauses


def context(*contents: str, core: str = "", project: str = "") -> str:
    texts = [readable(content) for content in contents]
    found = to_clauses(texts)
    about = subject(found, [(i % 2 == 0, text) for i, text in enumerate(texts)], peers=False)
    return specific_context(texts, found, core, about, [project])


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (("It breaks in many ways.\nTypeError: x is undefined\nWhat now?",), "TypeError: x is undefined"),
        (("We talked about the weather and such things. The rent is 1,240 euros.",), "1,240"),
        (("It is all rather nice here. Set `lock_timeout = '2s'` before it.",), "lock_timeout = '2s'"),
        (("They went there again some time. Meet at 16 Wattle Grove.",), "16 Wattle Grove"),
    ],
)
def test_the_exact_thing_is_picked(contents: tuple[str, ...], expected: str) -> None:
    made = context(*contents)
    assert expected in made
    assert any(made in content for content in contents)


def test_what_the_core_says_already_is_not_picked() -> None:
    said = "The limit is 30 seconds."
    assert context(f"{said} The gateway is version 2.4.7.", core=said) == "The gateway is version 2.4.7."


def test_the_project_path_is_no_detail() -> None:
    assert context("/home/ana/app-2\nThe timeout is long", project="/home/ana/app-2") == "The timeout is long"


def test_an_exchange_without_anything_exact_has_a_detail_all_the_same() -> None:
    assert context("and so on") == "and so on"


def test_a_long_line_is_cut() -> None:
    made = context("E42 " + "word " * 200)
    assert 0 < len(made) <= MAX_CHARS


def test_no_word_no_detail() -> None:
    assert context("!!! ...") == ""
