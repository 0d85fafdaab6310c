"""The default ranking: scores, not ranks, and what stands around an exchange. Pure.

    own       = bm25 / best bm25  +  W x cosine  +  R x record, for each route over records
    score     = own  +  N x own of the neighbours, damped by their length  +  S x best own in the sitting

A sitting is what is said in one conversation on one day; own gains M when the question names the month. A record is
as good as its bm25 over the best one, its cosine, and its agreement in the dimensions asked for; of an exchange's
records the best counts. Where there are none, nothing changes.

A rank says that one exchange is better than another, a score says by how much: on LoCoMo the sum of scores finds 0.79
of the evidence in ten, the sum of reciprocal ranks 0.72. An answer often stands beside the words one asks with, which
is what neighbours and conversation are for. Figures and how they were found: benchmarks/README.md.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from memlite.retrieve.fuse import Ranking, Traces, total
from memlite.types.query import Standing, TraceStep

DISTILLED = "dense:distilled"
RECORD_WORDS, RECORD_MEANING, RECORD_DIMENSIONS = "bm25:records", "dense:records", "dimensional:records"
RECORDS = (RECORD_WORDS, RECORD_MEANING, RECORD_DIMENSIONS)
DENSE = 1.5
DENSE_FOR_CODE = 0.5
NEIGHBOUR = 0.3
SITTING = 0.25
MONTH = 0.5
# A long neighbour matches by its length alone: at this many characters (about 60 words) it counts half.
LONG = 350

# `e.g.`, `U.S.`, `Ph.D.`, `3.5 hours`, `24/7` and `5/3/2023` are prose: a name has two characters before its dot, and a
# path a letter beside its slash.
_CODE = re.compile(
    r"\w_\w|[a-z][A-Z]|[A-Za-z]\w+\.[a-z0-9_]|\d\.\d+\.\d|(?<!\w)--?[a-zA-Z]|`|[^\W\d]/\w|[\w~.]/[^\W\d]|::|\(\)"
)


def names_code(text: str) -> bool:
    """Tell whether a question holds an identifier, a path or a flag: its letters then matter more than its meaning."""
    return _CODE.search(text) is not None


def blend(
    lexical: Mapping[str, Ranking],
    cosines: Ranking,
    standings: Mapping[int, Standing],
    *,
    records: Mapping[str, Ranking] = MappingProxyType({}),
    weights: Mapping[str, float] = MappingProxyType({}),
    dense_weight: float,
    month: str = "",
) -> Traces:
    """Return what makes up each candidate's score.

    `lexical` holds the BM25 ranking of each layer searched, `cosines` one for every candidate that has a vector,
    `records` the exchanges by their best record on each route over records and `weights` what each of
    these weighs, `month` the month the question names (`2026-05`, or `--05` of any year).
    """
    traces = _own(lexical, cosines, dense_weight)
    for route, ranking in records.items():
        _add_records(traces, route, ranking, weights[route], dense_weight / DENSE)
    known = {id: standings[id] for id in traces if id in standings}
    if month:
        for id, standing in known.items():
            if _said_in(standing, month):
                traces[id].append(TraceStep("month", 0, 1.0, MONTH))
    own = {id: total(steps) for id, steps in traces.items()}
    sittings = {id: standing.sitting for id, standing in known.items()}
    for id, near in _neighbours(known).items():
        lift = sum(own[other] * LONG / (LONG + known[other].chars) for other in near)
        traces[id].append(TraceStep("neighbours", 0, lift, NEIGHBOUR * lift))
    best: dict[tuple[int, str], float] = {}
    for id, sitting in sittings.items():
        best[sitting] = max(own[id], best.get(sitting, 0.0))
    for id, sitting in sittings.items():
        lift = best[sitting]
        traces[id].append(TraceStep("sitting", 0, lift, SITTING * lift))
    return traces


def _own(lexical: Mapping[str, Ranking], cosines: Ranking, dense_weight: float) -> Traces:
    traces: Traces = {}
    for route, ranking in lexical.items():
        scale = max((score for _, score in ranking), default=0.0) or 1.0
        for rank, (id, score) in enumerate(ranking, start=1):
            traces.setdefault(id, []).append(TraceStep(route, rank, score, score / scale))
    for rank, (id, cosine) in enumerate(cosines, start=1):
        step = TraceStep(DISTILLED, rank, cosine, dense_weight * max(0.0, cosine))
        traces.setdefault(id, []).append(step)
    return traces


def _add_records(traces: Traces, route: str, ranking: Ranking, weight: float, meaning: float) -> None:
    """Add what the best records of exchanges are worth; `meaning` is how much of its weight a cosine keeps."""
    best = max((score for _, score in ranking), default=0.0) or 1.0
    factor = {RECORD_WORDS: 1 / best, RECORD_MEANING: meaning}.get(route, 1.0) * weight
    for rank, (id, score) in enumerate(ranking, start=1):
        traces.setdefault(id, []).append(TraceStep(route, rank, score, factor * max(0.0, score)))


def _neighbours(standings: Mapping[int, Standing]) -> dict[int, Sequence[int]]:
    """Return for each candidate the candidates that stand directly before and after it in its sitting."""
    near: dict[int, list[int]] = {}
    order = sorted(standings, key=lambda id: (standings[id].conversation_id, standings[id].ply_start))
    for one, other in pairwise(order):
        a, b = standings[one], standings[other]
        follows = a.conversation_id == b.conversation_id and b.ply_start == a.ply_end + 1
        if follows and a.sitting == b.sitting:
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    return dict(near)


def _said_in(standing: Standing, month: str) -> bool:
    said = standing.said_from or ""
    return said[4:7] == month[1:] if month.startswith("-") else said.startswith(month)
