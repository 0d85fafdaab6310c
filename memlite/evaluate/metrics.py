"""What a ranking is worth: pure functions over the grades of what was found. Grades are 0 to 3, as in TREC.

An outcome lists, rank by rank, the best grade in each exchange found and how many gold messages lie in it. Where no
question is given, the mean of nothing is 0.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log2
from typing import Any

from memlite.types.evaluation import PERFECT, Estimate, Outcome

RESAMPLES = 2000
DEPTH = 20
"""How far down a reciprocal rank is looked for."""
Metric = Callable[[Outcome], float]


def recall(outcome: Outcome, k: int = 10) -> float:
    """Return the share of the gold messages of the best grade that lie in the first `k` exchanges."""
    return sum(outcome.found[:k]) / outcome.gold if outcome.gold else 0.0


def reciprocal_rank(outcome: Outcome) -> float:
    """Return 1 / the rank of the first exchange that answers fully, 0 where none is among the first twenty."""
    ranks = (rank for rank, grade in enumerate(outcome.grades[:DEPTH], start=1) if grade >= PERFECT)
    return 1 / next(ranks, float("inf"))


def hit(outcome: Outcome, k: int = 10) -> float:
    """Return 1 where one of the first `k` exchanges answers fully, else 0."""
    return float(any(grade >= PERFECT for grade in outcome.grades[:k]))


def precision(outcome: Outcome, k: int) -> float:
    """Return the share of `k` places that hold an exchange which answers fully."""
    return sum(grade >= PERFECT for grade in outcome.grades[:k]) / k


def ndcg(outcome: Outcome, k: int = 10) -> float:
    """Return the normalised discounted cumulative gain, gain 2^grade - 1, discount log2(rank + 1).

    Source: Burges et al., Learning to rank using gradient descent, 2005.
    """
    best = _gain(outcome.ideal[:k])
    return _gain(outcome.grades[:k]) / best if best else 0.0


def _gain(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


METRICS: dict[str, Metric] = {
    "recall@10": recall,
    "MRR": reciprocal_rank,
    "hit@1": lambda outcome: hit(outcome, 1),
    "hit@5": lambda outcome: hit(outcome, 5),
    "hit@10": hit,
    "P@1": lambda outcome: precision(outcome, 1),
    "P@10": lambda outcome: precision(outcome, 10),
    "nDCG@10": ndcg,
}


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def estimate(values: Sequence[float], *, seed: int = 0) -> Estimate:
    """Return the mean of a figure over questions and its 95 % interval, by 2,000 resamples (the percentile bootstrap).

    Source: Efron, Bootstrap methods: another look at the jackknife, 1979. The same seed gives the same interval.
    """
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    means = sorted((_resamples(len(values), seed) @ list(values) / len(values)).tolist())
    return Estimate(mean(values), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1])


@lru_cache(maxsize=16)
def _resamples(size: int, seed: int) -> Any:
    """Return how often each of so many questions is drawn in each resample: all figures share these draws.

    A product with them takes 1 ms for 383 questions; drawing anew for each of the grid's figures takes a minute.
    """
    import numpy as np

    return np.random.default_rng(seed).multinomial(size, [1 / size] * size, size=RESAMPLES).astype(float)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed, 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def coverage(outcomes: Iterable[Outcome], k: int = 10) -> int:
    """Return of how many questions an answer is among the first `k`."""
    return sum(int(hit(outcome, k)) for outcome in outcomes)


def oracle(by_plan: Mapping[str, Sequence[Outcome]]) -> float:
    """Return the MRR of a plan that would answer each question as the best of these plans does."""
    best: dict[tuple[str, str], float] = defaultdict(float)
    for outcomes in by_plan.values():
        for outcome in outcomes:
            key = (outcome.case, outcome.question)
            best[key] = max(best[key], reciprocal_rank(outcome))
    return mean(list(best.values()))


def by_plan(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes of each plan, questions in one order."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        found[outcome.plan].append(outcome)
    return {plan: sorted(rows, key=lambda row: (row.case, row.question)) for plan, rows in found.items()}
