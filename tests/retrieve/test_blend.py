"""The default ranking, by hand, and which questions are about code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.blend import DENSE, LONG, blend, names_code
from memlite.retrieve.fuse import ranked, total
from memlite.types.query import Standing

DAY, NEXT_DAY = "2026-05-03T10:00:00.000Z", "2026-05-04T10:00:00.000Z"
STANDINGS = {
    1: Standing(1, 0, 1, LONG, DAY),
    2: Standing(1, 2, 3, 2 * LONG, DAY),
    3: Standing(1, 4, 5, LONG, NEXT_DAY),
    4: Standing(2, 0, 1, LONG, "2025-05-03T10:00:00.000Z"),
    5: Standing(1, 8, 9, LONG, NEXT_DAY),
    6: Standing(3, 0, 1, LONG, None),
}
WORDS = [(2, 8.0), (4, 4.0), (6, 2.0)]
COSINES = [(1, 0.6), (2, 0.2), (3, -0.1)]


def scores(traces):
    return {id: pytest.approx(total(steps)) for id, steps in traces.items()}


def parts(traces, id):
    return {step.route: pytest.approx(step.contribution) for step in traces[id]}


def test_every_term_by_hand():
    traces = blend({"bm25:verbatim": WORDS}, COSINES, STANDINGS, dense_weight=1.5, month="2026-05")
    # Own: 1.5 x 0.6 + month; 8/8 + 1.5 x 0.2 + month. Neighbours: 0.3 x 1.8 x 350/1050; 0.3 x 1.4 x 350/700.
    assert parts(traces, 1) == {"dense:distilled": 0.9, "month": 0.5, "neighbours": 0.18, "sitting": 0.25 * 1.8}
    assert parts(traces, 2) == {
        "bm25:verbatim": 1.0,
        "dense:distilled": 0.3,
        "month": 0.5,
        "neighbours": 0.21,
        "sitting": 0.25 * 1.8,
    }
    # The next day is another sitting, so what stands beside it does not lift it; a negative cosine takes nothing away.
    assert parts(traces, 3) == {"dense:distilled": 0.0, "month": 0.5, "sitting": 0.125}
    assert parts(traces, 4) == {"bm25:verbatim": 0.5, "sitting": 0.125}  # May of another year
    assert parts(traces, 6) == {"bm25:verbatim": 0.25, "sitting": 0.0625}
    assert ranked(traces)[0] == (2, pytest.approx(2.46))
    assert 5 not in traces


def test_a_month_without_a_year_is_that_of_any():
    traces = blend({"bm25:verbatim": WORDS}, COSINES, STANDINGS, dense_weight=1.5, month="--05")
    assert {id for id in traces if "month" in parts(traces, id)} == {1, 2, 3, 4}
    traces = blend({"bm25:verbatim": WORDS}, COSINES, STANDINGS, dense_weight=1.5)
    assert not any("month" in parts(traces, id) for id in traces)


def test_neighbours_stand_side_by_side_on_one_day():
    apart = blend({"a": [(3, 1.0), (5, 1.0)]}, (), STANDINGS, dense_weight=DENSE)
    assert "neighbours" not in parts(apart, 3) | parts(apart, 5)
    # A neighbour as long as LONG counts half, one without length whole.
    beside = {1: Standing(1, 0, 1, LONG, DAY), 2: Standing(1, 2, 3, 0, DAY), 3: Standing(1, 4, 5, LONG, DAY)}
    traces = blend({"a": [(1, 2.0), (2, 1.0), (3, 1.0)]}, (), beside, dense_weight=DENSE)
    assert parts(traces, 1)["neighbours"] == 0.3 * 0.5
    assert parts(traces, 2)["neighbours"] == 0.3 * (1.0 / 2 + 0.5 / 2)
    assert parts(traces, 3)["neighbours"] == 0.3 * 0.5


def test_two_layers_of_keywords_add_up():
    traces = blend({"a": [(1, 8.0)], "b": [(1, 0.2), (2, 0.1)]}, (), {}, dense_weight=DENSE)
    assert scores(traces) == {1: 2.0, 2: 0.5}


def test_routes_over_records_add_what_they_weigh():
    weights = {"bm25:records": 0.1, "dense:records": 0.5, "dimensional:records": 0.4}
    records = {
        "bm25:records": [(2, 6.0), (4, 3.0)],
        "dense:records": [(2, 0.8), (1, -0.2)],
        "dimensional:records": [(4, 0.5)],
    }
    usual, code = (blend({}, (), {}, records=records, weights=weights, dense_weight=dense) for dense in (1.5, 0.5))
    assert parts(usual, 2) == {"bm25:records": 0.1, "dense:records": 0.4}
    assert parts(usual, 4) == {"bm25:records": 0.05, "dimensional:records": 0.2}
    assert parts(usual, 1) == {"dense:records": 0.0}
    # Of a question about code the meaning counts a third, and nothing else changes.
    assert parts(code, 2) == {"bm25:records": 0.1, "dense:records": pytest.approx(0.4 / 3)}
    assert parts(code, 4) == parts(usual, 4)


def test_little_or_nothing_to_rank():
    assert blend({}, (), {}, dense_weight=DENSE) == {}
    assert blend({"a": []}, (), STANDINGS, dense_weight=DENSE) == {}
    assert scores(blend({"a": [(1, 3.0)]}, (), {}, dense_weight=DENSE)) == {1: 1.0}  # no standing, no lift
    assert scores(blend({}, [(1, 0.5)], {}, dense_weight=0.5)) == {1: 0.25}
    assert scores(blend({"a": [(1, 0.0)]}, (), {}, dense_weight=DENSE)) == {1: 0.0}


RANKING = st.dictionaries(st.integers(1, 6), st.floats(0, 50), max_size=6).map(
    lambda found: sorted(found.items(), key=lambda row: -row[1])
)


@given(words=RANKING, cosines=RANKING, month=st.sampled_from(["", "2026-05", "--05", "--06"]))
def test_every_candidate_is_scored_once_and_nothing_takes_away(words, cosines, month):
    traces = blend({"a": words}, cosines, STANDINGS, dense_weight=DENSE, month=month)
    assert set(traces) == {id for id, _ in words + cosines}
    for id, steps in traces.items():
        assert len({step.route for step in steps}) == len(steps)
        assert all(step.contribution >= 0 for step in steps)
        own = dict(words).get(id, 0.0) / (max(dict(words).values(), default=0) or 1) + DENSE * dict(cosines).get(id, 0)
        assert total(steps) >= own or total(steps) == pytest.approx(own)


@pytest.mark.parametrize(
    "text",
    [
        *("where is get_user_by_id called", "getUserById", "what does store.py do", "os.path in the importer"),
        *("run it with --dry-run", "the -v flag", "`pool`", "src/app", "validators/date", "in ~/notes", "/etc/hosts"),
        *("memlite::store", "why does close() hang", "released v2.4.7", "upgrade to 2.4.7", ".github/workflows"),
    ],
)
def test_questions_that_name_code(text):
    assert names_code(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "What did Caroline say about the trip?",
            "Dr. Smith went.",
            "a few of them, e.g. the dog",
            "i.e. nothing",
        ),
        *("it took 3.5 hours", "at 7 p.m. sharp", "the U.S. trip", "her Ph.D. thesis", "open 24/7", "on 5/3/2023"),
        *("a well-known singer", "the twenties - that was good", "Wait... what?", "Is it over? No.", "costs $3.50"),
        *("cross-layer fusion", "2026-05-03", "10:30", "C++ and C#", "the cat (ours) ran"),
    ],
)
def test_questions_in_plain_words(text):
    assert not names_code(text)
