"""Tests and effect sizes against scipy, textbooks and what is reckoned by hand."""

import random

import numpy as np
import pytest
from scipy import stats

from memlite.evaluate import significance as of

draw = random.Random(7)
PAIRS = [
    ([draw.choice([0, 0.5, 1]) for _ in range(size)], [draw.choice([0, 0.2, 0.5, 1]) for _ in range(size)])
    for size in (12, 40, 200)
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_permutation_is_scipys(first, second):
    theirs = stats.permutation_test(
        (first, second),
        lambda x, y, axis: np.mean(np.asarray(x) - np.asarray(y), axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=10_000,
        rng=3,
    )
    assert of.permutation(first, second) == pytest.approx(theirs.pvalue, abs=0.02)


def test_few_differences_are_tried_in_every_pattern():
    # 1, 2 and 3 of one sign: two of the eight patterns are as extreme.
    assert of.permutation([1, 2, 3, 5], [0, 0, 0, 5]) == pytest.approx(2 / 8)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_wilcoxon_is_scipys(first, second):
    theirs = stats.wilcoxon(first, second, zero_method="wilcox", correction=False, method="asymptotic")
    assert of.wilcoxon(first, second) == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_cliffs_delta_is_what_mann_whitney_tells(first, second):
    statistic = stats.mannwhitneyu(first, second).statistic
    assert of.cliffs_delta(first, second) == pytest.approx(2 * statistic / (len(first) * len(second)) - 1)


def test_cliffs_delta_of_the_extremes():
    assert of.cliffs_delta([2, 3], [0, 1]) == 1
    assert of.cliffs_delta([0, 1], [2, 3]) == -1
    assert of.cliffs_delta([1, 2], [1, 2]) == 0


def test_cohens_d_by_hand():
    # Means 3 and 2, both of standard deviation 1.
    assert of.cohens_d([2, 3, 4], [1, 2, 3]) == pytest.approx(1.0)
    assert of.cohens_d([1, 1], [1, 1]) == 0
    assert of.cohens_d([1], [0]) == 0


def test_plans_that_find_the_same_do_not_differ():
    same = of.compare([0, 1, 0.5], [0, 1, 0.5])
    assert (same.difference, same.p, same.p_wilcoxon, same.cliffs_delta, same.cohens_d) == (0, 1, 1, 0, 0)


def test_questions_must_be_the_same():
    with pytest.raises(ValueError, match="zip"):
        of.compare([0, 1], [1])


def test_bonferroni():
    assert of.bonferroni(0.01, 4) == pytest.approx(0.04)
    assert of.bonferroni(0.4, 4) == 1
