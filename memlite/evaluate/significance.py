"""Whether two plans differ, and by how much, on the same questions."""

from collections.abc import Sequence
from functools import lru_cache
from math import erfc, sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

SHUFFLES = 10_000
FEW = 13
"""Differences of which every pattern of signs is tried: 8,192 patterns."""
_ROUNDING = 1e-9


class Comparison(Struct, frozen=True):
    """How one plan does against another, question by question."""

    difference: float
    """Mean of the first minus mean of the second."""
    p: float
    """Two-sided, of the paired permutation test."""
    p_wilcoxon: float
    cliffs_delta: float
    cohens_d: float


def compare(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> Comparison:
    """Compare paired figures; both lists are of the same questions in the same order."""
    return Comparison(
        difference=fmean(first) - fmean(second),
        p=permutation(first, second, seed=seed),
        p_wilcoxon=wilcoxon(first, second),
        cliffs_delta=cliffs_delta(first, second),
        cohens_d=cohens_d(first, second),
    )


def permutation(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> float:
    """Return the two-sided p of the paired permutation test: signs of the differences flipped at random.

    With few differences that are not 0 all sign patterns are tried, else 10,000 random ones, and the observed one is
    counted as one of them. Source: Smucker, Allan and Carterette, CIKM 2007; Phipson and Smyth, 2010.
    """
    differences = [a - b for a, b in zip(first, second, strict=True) if a != b]
    if not differences:
        return 1.0
    size = len(differences)
    every = size <= FEW
    sums = abs((_all_signs(size) if every else _random_signs(size, seed)) @ differences)
    extreme = int((sums >= abs(sum(differences)) - _ROUNDING).sum())
    return extreme / len(sums) if every else (extreme + 1) / (len(sums) + 1)


def _all_signs(size: int) -> Any:
    import numpy as np

    patterns = np.arange(1 << size)[:, None] >> np.arange(size) & 1
    return 1.0 - 2.0 * patterns


@lru_cache(maxsize=4)
def _random_signs(size: int, seed: int) -> Any:
    import numpy as np

    return 1.0 - 2.0 * np.random.default_rng(seed).integers(0, 2, (SHUFFLES, size))


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test, normal approximation with the correction for ties.

    Questions on which both are equal are left out, as Wilcoxon did. Source: Wilcoxon, 1945.
    """
    differences = [a - b for a, b in zip(first, second, strict=True) if a != b]
    size = len(differences)
    if not size:
        return 1.0
    ranks, ties = _ranks([abs(difference) for difference in differences])
    positive = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    expected = size * (size + 1) / 4
    variance = size * (size + 1) * (2 * size + 1) / 24 - ties / 48
    return erfc(abs(positive - expected) / sqrt(variance) / sqrt(2)) if variance > 0 else 1.0


def _ranks(values: Sequence[float]) -> tuple[list[float], float]:
    """Return mid-ranks and the sum of t^3 - t over ties of t equal values."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks, ties, start = [0.0] * len(values), 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for at in order[start:end]:
            ranks[at] = (start + 1 + end) / 2
        ties += (end - start) ** 3 - (end - start)
        start = end
    return ranks, ties


def cliffs_delta(first: Sequence[float], second: Sequence[float]) -> float:
    """Return how much more often a figure of the first is above one of the second than below: -1 to 1.

    Source: Cliff, Dominance statistics, 1993.
    """
    import numpy as np

    return float(np.sign(np.array(first)[:, None] - np.array(second)[None, :]).mean())


def cohens_d(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the difference of the means over the pooled standard deviation. Source: Cohen, 1988."""
    if len(first) < 2:
        return 0.0
    pooled = sqrt((stdev(first) ** 2 + stdev(second) ** 2) / 2)
    return (fmean(first) - fmean(second)) / pooled if pooled else 0.0


def bonferroni(p: float, tests: int) -> float:
    """Return p corrected for a family of that many tests: min(1, tests x p)."""
    return min(1.0, tests * p)
