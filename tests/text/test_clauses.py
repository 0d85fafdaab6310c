"""Tests of memlite.text.clauses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.clauses import HEAD, TAIL, readable, to_clauses


def texts(content: str) -> list[str]:
    return [clause.text for clause in to_clauses([content])]


def test_markup_goes_and_code_is_told_from_prose() -> None:
    found = to_clauses(["# Plan\n- use **Zustand** for `state`\n```\nx = 1\n```\nSee [the docs](http://a.b/c)."])
    assert [(clause.kind, clause.text) for clause in found] == [
        ("heading", "Plan"),
        ("item", "use Zustand for state"),
        ("pasted", "x = 1"),
        ("prose", "See the docs."),
    ]


def test_logs_traces_and_indented_code_are_pasted() -> None:
    content = "It fails:\n\n    kubectl get pods -n render\n    render-worker 1/1 Running\n\n"
    content += "Traceback (most recent call last)\n"
    content += '2024-05-14T09:12:09 boot\n$ ls\n| a | b |\n  "hooks": {\nThat is all'
    assert [clause.kind for clause in to_clauses([content])] == ["prose", *["pasted"] * 7, "prose"]


def test_a_hard_wrapped_line_is_joined() -> None:
    content = "The hook reads the project file and then runs every check that is\nlisted in it. Done"
    assert texts(content)[-1] == "Done"
    assert any("that is listed" in text for text in texts(content))


def test_short_lines_stay_apart() -> None:
    assert texts("Ok then\nSend it") == ["Ok then", "Send it"]


def test_a_long_sentence_is_split_where_it_turns() -> None:
    found = texts("We moved the nightly export to ops-runner-2, because the old runner ran out of disk space")
    assert found == ["We moved the nightly export to ops-runner-2,", "because the old runner ran out of disk space"]


@pytest.mark.parametrize(
    "said",
    [
        "Now I am passionate about creating a safe, inviting place for people to grow",
        "We keep the interpreter that you compiled by hand, which nobody on the team will ever update",
        "It is like a kind of therapy for me, letting me express myself and get creative",
    ],
)
def test_nothing_is_split_mid_thought(said: str) -> None:
    assert texts(said) == [said]


def test_a_clause_behind_a_short_phrase_is_split_all_the_same() -> None:
    assert len(texts("The nightly export fails on the runner, the disk of it is full again")) == 2


def test_a_dash_stays_with_what_is_before_it() -> None:
    assert texts("This necklace is super special to me - a gift from my grandma")[0].endswith("me -")


def test_the_number_of_a_heading_is_no_text() -> None:
    assert texts("**2. One statement for all stations**") == ["One statement for all stations"]


def test_nothing_is_split_inside_parentheses() -> None:
    found = texts("The limit applies to all (that is, to every single request that is made) from today")
    assert found == ["The limit applies to all (that is, to every single request that is made) from today"]


def test_wide_punctuation_splits() -> None:
    assert texts("今天把登录超时改成三十秒，因为网关在二十秒就断开了。好的") == [
        "今天把登录超时改成三十秒，",
        "因为网关在二十秒就断开了。",
        "好的",
    ]


def test_readable_keeps_length_and_drops_injected_text() -> None:
    content = "a <system-reminder>x\ny</system-reminder> b"
    assert len(readable(content)) == len(content)
    assert readable(content).split() == ["a", "b"]
    assert readable("the <system-reminder> tag") == "the <system-reminder> tag"


def test_readable_drops_the_middle_of_a_long_message() -> None:
    content = "start\n" + "middle " * 10_000 + "\nend"
    made = readable(content)
    assert len(made) == len(content)
    assert made.startswith("start\n")
    assert made.endswith("\nend")
    assert len(made.strip().replace("\n", "")) <= HEAD + TAIL


@given(st.lists(st.text(), max_size=3))
def test_every_clause_is_a_span_of_its_turn(contents: list[str]) -> None:
    found = to_clauses(contents)
    assert [clause.number for clause in found] == list(range(len(found)))
    for clause in found:
        span = contents[clause.turn][clause.start : clause.end]
        assert set(clause.text.split()) == set() or clause.text.split()[0][-1] in span
