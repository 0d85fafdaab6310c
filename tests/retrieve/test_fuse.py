"""Fusions, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.fuse import FUSIONS, combmnz, divisor, hybrid, lifted, normalise, ranked, rrf, total, weighted

A = [(1, 8.0), (2, 4.0), (3, 2.0)]
B = [(3, 0.9), (4, 0.6)]


def scores(traces):
    return {id: pytest.approx(score) for id, score in ranked(traces)}


def test_divisor():
    assert divisor([]) == 1.0
    assert divisor([4.0]) == 4.0
    assert divisor([2.0, 8.0, 4.0]) == 8.0
    assert divisor([float(i) for i in range(1, 11)]) == pytest.approx(9.55)
    assert divisor([float(i) for i in range(21)]) == pytest.approx(19.0)
    assert divisor([0.0]) == 1e-10


def test_normalise():
    assert normalise([]) == []
    assert normalise([(1, 3.0)]) == [1.0]
    assert normalise(A) == [1.0, 0.5, 0.25]
    assert normalise([(i, 1.0) for i in range(9)] + [(9, 100.0)])[-1] == 1.0
    assert normalise([(1, -1.0), (2, -2.0)]) == [0.0, 0.0]


def test_combmnz():
    # 3 is in both: (0.25 + 1.0) x 2.
    assert scores(combmnz({"a": A, "b": B}, {})) == {3: 2.5, 1: 1.0, 4: 2 / 3, 2: 0.5}


def test_rrf():
    assert scores(rrf({"a": A, "b": B}, {})) == {3: 1 / 63 + 1 / 61, 1: 1 / 61, 2: 1 / 62, 4: 1 / 62}
    assert scores(rrf({"a": [(1, 5.0)]}, {"a": 2.0})) == {1: 2 / 61}


def test_weighted():
    assert scores(weighted({"a": A, "b": B}, {"a": 0.6, "b": 0.4})) == {
        1: 0.6,
        3: 0.6 * 0.25 + 0.4,
        2: 0.3,
        4: 0.4 * 2 / 3,
    }


def test_hybrid():
    # 0.6 and 0.4 of the normalised scores, by 1, 1.1, 1.2 down the ranks; 3 is in both: 1.2 x (0.125 + 0.4).
    traces = hybrid({"bm25:verbatim": A, "dense:verbatim": B}, {})
    assert scores(traces) == {3: 0.63, 1: 0.6, 2: 0.3 / 1.1, 4: 0.8 / 3 / 1.1}
    assert [(step.route, step.rank, step.contribution) for step in traces[3]] == [
        ("bm25:verbatim", 3, pytest.approx(0.15)),
        ("dense:verbatim", 1, pytest.approx(0.48)),
    ]
    # A word of the question in the title of 2 and 4.
    assert scores(lifted(traces, {2, 4, 99})) == {3: 0.63, 1: 0.6, 2: 0.6 / 1.1, 4: 1.6 / 3 / 1.1}


def test_equal_normalised_scores_keep_the_order_of_the_route():
    # All of the best twentieth count as 1; the best must stay the best all the same.
    many = [(100 - i, 50.0 - i / 10) for i in range(60)]
    assert [id for id, _ in ranked(weighted({"a": many}, {}))] == [id for id, _ in many]


@pytest.mark.parametrize("fusion", FUSIONS)
def test_no_routes_give_no_hits(fusion):
    assert ranked(FUSIONS[fusion]({}, {})) == []
    assert ranked(FUSIONS[fusion]({"a": []}, {})) == []


@pytest.mark.parametrize(
    ("fusion", "alone", "in_both"),
    [("combmnz", 1.0, 4.0), ("hybrid", 0.6, 1.2), ("rrf", 1 / 61, 2 / 61), ("weighted", 1.0, 2.0)],
)
def test_a_single_result(fusion, alone, in_both):
    one = [(7, 3.0)]
    assert scores(FUSIONS[fusion]({"bm25:verbatim": one}, {})) == {7: alone}
    assert scores(FUSIONS[fusion]({"bm25:verbatim": one, "dense:verbatim": []}, {})) == {7: alone}
    assert scores(FUSIONS[fusion]({"bm25:verbatim": one, "dense:verbatim": [(7, 0.2)]}, {})) == {7: in_both}


RANKING = st.dictionaries(st.integers(1, 30), st.floats(-5, 50), max_size=25).map(
    lambda found: sorted(found.items(), key=lambda row: -row[1])
)


@pytest.mark.parametrize("fusion", FUSIONS)
@given(a=RANKING, b=RANKING)
def test_every_candidate_is_ranked_once_with_a_trace_that_adds_up(fusion, a, b):
    traces = FUSIONS[fusion]({"a": a, "b": b}, {"a": 1.0, "b": 1.0})
    result = ranked(traces)
    assert sorted(id for id, _ in result) == sorted({id for id, _ in a + b})
    assert [score for _, score in result] == sorted((score for _, score in result), reverse=True)
    for id, score in result:
        assert score == pytest.approx(total(traces[id]))
        for step in traces[id]:
            assert {"a": a, "b": b}[step.route][step.rank - 1] == (id, step.score)
