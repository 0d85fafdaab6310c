"""Several rankings into one, with a trace: what each route contributed, adding up to the score. Pure.

CombMNZ (Fox and Shaw, 1994): the sum of the normalised scores times the number of routes that found the exchange.
RRF (Cormack, Clarke and Buettcher, 2009): the sum of 1 / (60 + rank). Weighted: a weighted sum of normalised scores.
"""

from collections.abc import Callable, Container, Mapping, Sequence

from memlite.types.query import TraceStep

Ranking = Sequence[tuple[int, float]]
"""(exchange id, score), best first."""

RRF_K = 60
MANY = 10


def divisor(scores: Sequence[float]) -> float:
    """Return what scores are divided by to lie in 0 to 1: the 95th percentile of ten or more, else the largest.

    The percentile keeps one outlier from pressing all others down; scores above it count as 1.
    """
    if not scores:
        return 1.0
    ordered = sorted(scores)
    if len(ordered) < MANY:
        return max(ordered[-1], 1e-10)
    place = 0.95 * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return max(ordered[below] + (place - below) * (ordered[above] - ordered[below]), 1e-10)


def normalise(ranking: Ranking) -> list[float]:
    """Return the scores of a ranking in 0 to 1."""
    scale = divisor([score for _, score in ranking])
    return [max(0.0, min(score / scale, 1.0)) for _, score in ranking]


Traces = dict[int, list[TraceStep]]


def combmnz(rankings: Mapping[str, Ranking], weights: Mapping[str, float]) -> Traces:
    """Fuse by CombMNZ; an exchange in both of two rankings counts double."""
    traces = weighted(rankings, {})
    return {
        id: [_scaled(step, sum(other.contribution > 0 for other in steps)) for step in steps]
        for id, steps in traces.items()
    }


def rrf(rankings: Mapping[str, Ranking], weights: Mapping[str, float]) -> Traces:
    """Fuse by reciprocal rank."""
    traces: Traces = {}
    for route, ranking in rankings.items():
        for rank, (id, score) in enumerate(ranking, start=1):
            contribution = weights.get(route, 1.0) / (RRF_K + rank)
            traces.setdefault(id, []).append(TraceStep(route, rank, score, contribution))
    return traces


def weighted(rankings: Mapping[str, Ranking], weights: Mapping[str, float]) -> Traces:
    """Fuse by the weighted sum of normalised scores; a route without a weight has weight 1."""
    traces: Traces = {}
    for route, ranking in rankings.items():
        weight = weights.get(route, 1.0)
        for rank, ((id, score), share) in enumerate(zip(ranking, normalise(ranking), strict=True), start=1):
            traces.setdefault(id, []).append(TraceStep(route, rank, score, weight * share))
    return traces


def _scaled(step: TraceStep, factor: float) -> TraceStep:
    return TraceStep(step.route, step.rank, step.score, step.contribution * factor)


HYBRID_WEIGHTS = {"bm25": 0.6, "dense": 0.4}
HYBRID_BOTH = 1.2


def hybrid(rankings: Mapping[str, Ranking], weights: Mapping[str, float]) -> Traces:
    """Fuse keywords and meaning of one layer as searchat does: 0.6 and 0.4 of the normalised scores, each damped by
    1 / (1 + 0.1 x rank from 0), and 1.2 times as much where both found it. Conversations whose title holds a word of
    the question count twice (see `lifted`)."""
    traces: Traces = {}
    for route, ranking in rankings.items():
        weight = HYBRID_WEIGHTS.get(route.split(":")[0], 0.5)
        for rank, ((id, score), share) in enumerate(zip(ranking, normalise(ranking), strict=True)):
            traces.setdefault(id, []).append(TraceStep(route, rank + 1, score, weight * share / (1 + 0.1 * rank)))
    return {id: [_scaled(step, HYBRID_BOTH if len(steps) > 1 else 1) for step in steps] for id, steps in traces.items()}


def lifted(traces: Traces, ids: Container[int]) -> Traces:
    """Return traces in which these exchanges count twice: searchat's reward for a conversation's title."""
    return {id: [_scaled(step, 2) for step in steps] if id in ids else steps for id, steps in traces.items()}


FUSIONS: dict[str, Callable[[Mapping[str, Ranking], Mapping[str, float]], Traces]] = {
    "combmnz": combmnz,
    "hybrid": hybrid,
    "rrf": rrf,
    "weighted": weighted,
}


def total(steps: Sequence[TraceStep]) -> float:
    """Return the score a trace adds up to."""
    return sum(step.contribution for step in steps)


def ranked(traces: Traces) -> list[tuple[int, float]]:
    """Return (exchange id, score), best first.

    Equal scores (all above the 95th percentile count as 1) go by their ranks, then by id, so that pages are stable.
    """
    rows = [(id, total(steps), sum(step.rank for step in steps)) for id, steps in traces.items()]
    return [(id, score) for id, score, _ in sorted(rows, key=lambda row: (-row[1], row[2], row[0]))]
