"""Conversations cut into exchanges: the rules one by one, and the same cuts however the messages came in."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.memory import Memory
from memlite.segment import Rules, segment
from memlite.types.transcript import Place
from tests.embedders import WordEmbedder

START = datetime.fromisoformat("2026-05-03T10:00:00+00:00")


def places(script):
    """u: user, a: assistant, t: tool result or thinking (no ply), x: automated user; a digit: hours of silence."""
    found, ply, hours = [], 0, 0
    for sign in script.replace(" ", ""):
        if sign.isdigit():
            hours += int(sign)
            continue
        said = sign != "t"
        role = {"u": "user", "x": "user", "a": "assistant", "t": "tool"}[sign]
        at = (START + timedelta(hours=hours)).isoformat()
        found.append(Place(len(found), ply if said else None, role, at, "command" if sign == "x" else ""))
        ply += said
    return found


def plies(script, **rules):
    return [(span.ply_start, span.ply_end) for span in segment(places(script), Rules(**rules))]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        ("t", []),
        ("u", [(0, 0)]),
        ("ua", [(0, 1)]),
        ("uua", [(0, 2)]),  # a second question before the answer extends the first
        ("uaa", [(0, 2)]),
        ("uaua", [(0, 1), (2, 3)]),
        ("u tt a u a", [(0, 1), (2, 3)]),  # a round trip to a tool stays within one exchange
        ("u t a t a u", [(0, 2), (3, 3)]),
        ("au", [(0, 0), (1, 1)]),  # an answer without a question stands alone
        ("aua", [(0, 0), (1, 2)]),
        ("uax", [(0, 1), (2, 2)]),
        ("u7a", [(0, 0), (1, 1)]),  # a pause of more than six hours ends an exchange
        ("u6a", [(0, 1)]),
        ("u3t4a", [(0, 0), (1, 1)]),  # only what is said ends a pause
        ("u3t3a", [(0, 1)]),
    ],
)
def test_the_rules(script, expected):
    assert plies(script) == expected


def test_tool_records_belong_to_the_exchange_before_them():
    spans = segment(places("t ut at ua t"))
    assert [(span.seq_start, span.seq_end) for span in spans] == [(0, 4), (5, 7)]


def test_unknown_times_are_no_pause():
    unknown = [Place(0, 0, "user", None), Place(1, 1, "assistant", "2026-05-03T10:00:00.000Z")]
    assert len(segment(unknown)) == 1
    assert segment(unknown)[0].said_from == "2026-05-03T10:00:00.000Z"


def test_45_plies_give_three_parts_each_with_the_question():
    spans = segment(places("u" + 44 * "a"))
    assert [(span.ply_start, span.ply_end, span.part, span.lead_seq) for span in spans] == [
        (0, 19, 0, None),
        (20, 39, 1, 0),
        (40, 44, 2, 0),
    ]


def test_a_part_that_holds_the_question_does_not_point_at_it():
    spans = segment(places("xxxuaa"), Rules(max_plies=2))
    assert [(span.part, span.lead_seq) for span in spans] == [(0, None), (1, None), (2, 3)]


def test_the_limits_can_be_set():
    assert plies("uaaa", max_plies=2) == [(0, 1), (2, 3)]
    assert plies("u2a", max_pause=timedelta(hours=1)) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [("xa", "command"), ("xua", ""), ("uxa", ""), ("a", ""), ("xxa", "command")],
)
def test_an_exchange_is_automated_when_no_person_asked(script, expected):
    assert [span.automated for span in segment(places(script))] == [expected]


SCRIPTS = st.text(alphabet="uuuaaatx7", max_size=40)


@given(SCRIPTS, st.integers(1, 5))
def test_spans_cover_every_message_once(script, max_plies):
    given = places(script)
    spans = segment(given, Rules(max_plies=max_plies))
    covered = [seq for span in spans for seq in range(span.seq_start, span.seq_end + 1)]
    assert covered == [place.seq for place in given] or not spans
    said = [ply for span in spans for ply in range(span.ply_start, span.ply_end + 1)]
    assert said == [place.ply for place in given if place.ply is not None]
    assert all(span.ply_end - span.ply_start < max_plies for span in spans)


@given(SCRIPTS, st.integers(1, 5))
def test_no_part_lacks_the_question(script, max_plies):
    given = places(script)
    for span in segment(given, Rules(max_plies=max_plies)):
        roles = {place.role for place in given if span.seq_start <= place.seq <= span.seq_end}
        if span.part and span.lead_seq is None:
            asked_before = [place for place in given[: span.seq_start] if place.role == "user" and not place.automated]
            whole = next(s for s in segment(given, Rules(max_plies=10**6)) if s.ply_end >= span.ply_end)
            assert "user" in roles or not [place for place in asked_before if place.seq >= whole.seq_start]
        if span.lead_seq is not None:
            assert given[span.lead_seq].role == "user"
            assert span.lead_seq < span.seq_start


def message(sign, number, hours):
    content = "<command-name>/clear</command-name>" if sign == "x" else f"{sign} says {number}"
    at = (START + timedelta(hours=hours, seconds=number)).isoformat()
    if sign == "t":
        return {"role": "tool", "content": content, "timestamp": at, "tool_call_id": f"t{number}"}
    return {"role": "assistant" if sign == "a" else "user", "content": content, "timestamp": at}


def messages(script):
    hours, found = 0, []
    for sign in script:
        if sign.isdigit():
            hours += int(sign)
        else:
            found.append(message(sign, len(found), hours))
    return found


STORED = """
select ply_start, ply_end, seq_start, seq_end, part, lead_seq, said_from, said_to, automated, chars
from exchange order by seq_start
"""


@settings(max_examples=25, deadline=None)
@given(
    script=SCRIPTS.filter(lambda s: len(s) > 3), sizes=st.lists(st.integers(1, 9), max_size=8), plies=st.integers(1, 4)
)
def test_messages_added_bit_by_bit_give_the_same_exchanges_as_all_at_once(tmp_path_factory, script, sizes, plies):
    folder, given = tmp_path_factory.mktemp("segment"), messages(script)
    rules = Rules(max_plies=plies, min_chars=1)
    with (
        Memory(folder / "bits.db", embedder=WordEmbedder(), rules=rules) as bits,
        Memory(folder / "whole.db", embedder=WordEmbedder(), rules=rules) as whole,
    ):
        whole.add(given)
        added, rest = 0, given
        for size in [*sizes, len(given)]:
            added += bits.add(rest[:size]).exchanges
            if size % 2:
                bits.distill()
            rest = rest[size:]
        one, other = bits._store.con, whole._store.con
        assert one.execute(STORED).fetchall() == other.execute(STORED).fetchall()
        assert added == bits.status().exchanges
        for memory in (bits, whole):
            memory.distill()
        texts = "select seq_start, exchange_core from palace_object join exchange on id = exchange_id order by 1"
        assert one.execute(texts).fetchall() == other.execute(texts).fetchall()
        one.execute("insert into fts_exchange (fts_exchange, rank) values ('integrity-check', 1)")
        one.execute("insert into fts_object (fts_object, rank) values ('integrity-check', 1)")
