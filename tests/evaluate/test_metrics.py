"""Metrics against what is reckoned by hand and by scipy."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from memlite.evaluate import metrics
from memlite.types.evaluation import Estimate, Outcome

draw = random.Random(7)


def outcome(grades, *, found=None, gold=1, ideal=None, case="c", question="q", plan="p"):
    """What a plan found; by default one gold message in each exchange of grade 3."""
    found = tuple(int(grade == 3) for grade in grades) if found is None else found
    ideal = tuple(sorted(grades, reverse=True)) if ideal is None else ideal
    return Outcome(case, question, "", plan, tuple(grades), tuple(found), gold, ideal)


def test_a_ranking_reckoned_by_hand():
    one = outcome([0, 3, 2, 0, 3], gold=3, ideal=(3, 3, 3, 2))
    assert metrics.recall(one) == pytest.approx(2 / 3)
    assert metrics.recall(one, 2) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(one) == pytest.approx(1 / 2)
    assert metrics.hit(one, 1) == 0
    assert metrics.hit(one, 2) == 1
    assert metrics.precision(one, 1) == 0
    assert metrics.precision(one, 10) == pytest.approx(0.2)
    # 7/log2(3) + 3/log2(4) + 7/log2(6), over 7/log2(2) + 7/log2(3) + 7/log2(4) + 3/log2(5)
    assert metrics.ndcg(one) == pytest.approx((4.41651 + 1.5 + 2.70797) / (7 + 4.41651 + 3.5 + 1.29203), abs=1e-5)


def test_messages_of_one_exchange_count_for_recall_each():
    assert metrics.recall(outcome([3, 3], found=(2, 1), gold=4)) == pytest.approx(3 / 4)


def test_nothing_found_is_nothing_and_no_error():
    none = outcome([], gold=1, ideal=(3,))
    assert [of(none) for of in metrics.METRICS.values()] == [0.0] * len(metrics.METRICS)


def test_what_stands_below_the_twentieth_rank_is_not_found():
    assert metrics.reciprocal_rank(outcome([0] * 19 + [3])) == pytest.approx(1 / 20)
    assert metrics.reciprocal_rank(outcome([0] * 20 + [3])) == 0


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_the_best_order_has_gain_1_and_no_order_has_more(grades):
    ideal = tuple(sorted(grades, reverse=True))
    best = metrics.ndcg(outcome(list(ideal), ideal=ideal))
    assert best == pytest.approx(float(any(grades)))
    assert metrics.ndcg(outcome(grades, ideal=ideal)) <= best + 1e-12


def test_the_interval_is_scipys_up_to_chance():
    values = [0.0] * 30 + [0.5] * 30 + [1.0] * 60
    mine = metrics.estimate(values)
    theirs = stats.bootstrap((values,), lambda x, axis: x.mean(axis), method="percentile", rng=1).confidence_interval
    assert mine.mean == pytest.approx(0.625)
    assert mine.low == pytest.approx(theirs.low, abs=0.01)
    assert mine.high == pytest.approx(theirs.high, abs=0.01)


def test_intervals_depend_on_the_seed_alone():
    values = [draw.random() for _ in range(60)]
    assert metrics.estimate(values) == metrics.estimate(list(values))
    assert metrics.estimate(values) != metrics.estimate(values, seed=1)
    assert metrics.estimate([]) == Estimate(0.0, 0.0, 0.0)
    assert metrics.estimate([0.25]) == Estimate(0.25, 0.25, 0.25)


def test_coverage_and_oracle_take_the_best_plan_for_each_question():
    good = [outcome([3], question="1", plan="a"), outcome([0, 0], question="2", plan="a")]
    other = [outcome([0, 3], question="1", plan="b"), outcome([0, 3], question="2", plan="b")]
    found = metrics.by_plan([*other, *good])
    assert metrics.coverage(good) == 1
    assert metrics.oracle(found) == pytest.approx((1 + 1 / 2) / 2)
    assert [one.question for one in found["b"]] == ["1", "2"]


def test_equal_ids_in_two_stores_are_two_questions():
    found = metrics.by_plan([outcome([3], case="one"), outcome([0, 3], case="two")])
    assert metrics.oracle(found) == pytest.approx(0.75)


def test_percentiles():
    assert metrics.percentile([5, 1, 3, 2, 4], 0.5) == 3
    assert metrics.percentile([1.0], 0.95) == 1
    assert metrics.percentile([], 0.5) == 0
