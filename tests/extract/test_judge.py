"""Tests of memlite.extract.judge."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.extract import judge
from memlite.extract.judge import Candidate, choose

SIGNS = {f"s{number}": number / 4 for number in range(-12, 13)}


@pytest.fixture(autouse=True)
def weights(monkeypatch):
    monkeypatch.setattr(judge, "WEIGHTS", SIGNS)


spans = st.tuples(st.integers(0, 5), st.integers(0, 2), st.sampled_from(sorted(SIGNS)))


@given(st.lists(spans, max_size=7), st.sampled_from([0.2, 0.5]))
def test_no_other_set_of_candidates_gains_more(drawn, threshold):
    judge.WEIGHTS = SIGNS
    candidates = [Candidate(first, first + more, "x", (sign,)) for first, more, sign in drawn]
    chosen = choose(candidates, threshold)
    taken = [piece for one, _ in chosen for piece in range(one.first, one.last + 1)]
    assert len(taken) == len(set(taken))
    assert all(likelihood >= threshold for _, likelihood in chosen)
    best = max(
        (
            sum(one.likelihood - threshold for one in some)
            for size in range(len(candidates) + 1)
            for some in combinations([one for one in candidates if one.likelihood >= threshold], size)
            if all(a.last < b.first or b.last < a.first for a, b in combinations(some, 2))
        ),
        default=0.0,
    )
    assert sum(likelihood - threshold for _, likelihood in chosen) == pytest.approx(best)


def test_unknown_signs_weigh_nothing():
    assert Candidate(0, 0, "x", ("unheard of",)).likelihood == 0.5
