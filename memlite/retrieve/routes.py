"""The ways to find candidates. Each returns a ranking and a report, and abstains where it has nothing to say."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from memlite.errors import EmbedderMismatch, ModelUnusable
from memlite.models.base import Embedder
from memlite.retrieve import analyse, dimensional
from memlite.store import dense, lexical, record_routes
from memlite.store.connection import Connection
from memlite.store.lexical import Scope, Scored
from memlite.store.record_routes import Match
from memlite.types.query import Layer, Query, RouteReport

# MiniLM always has a nearest neighbour. On LoCoMo and a coding history the best cosine of a real question is above 0.26
# in 99 of 100, that of words nobody said (typed at random, or on another subject) mostly below 0.30, at most 0.41.
# So the route abstains below the first figure, and below the second when no word of the question was ever said.
LEAST_SIMILAR, LEAST_SIMILAR_UNSAID = 0.25, 0.45


Fields = Literal["core", "core+files", "core+rooms", "all"]
COLUMNS: dict[Fields, str] = {
    "core": "{core context}",
    "core+files": "{core context files}",
    "core+rooms": "{core context rooms}",
    "all": "{core context files rooms}",
}
RECORD_COLUMNS: dict[Fields, str] = {
    "core": "{content}",
    "core+files": "{content}",
    "core+rooms": "{content}",
    "all": "{content reason purpose keywords}",
}

NOT_EMBEDDED: dict[dense.Layer, str] = {
    "distilled": "nothing is embedded yet: run memlite distill",
    "records": "no record is embedded yet: run memlite distill",
    "verbatim": "what was said has no vectors of its own: run memlite embed --verbatim",
}


class Route(Struct, frozen=True):
    """One way to find candidates over one layer."""

    kind: Literal["bm25", "dense", "dimensional", "newest"]
    layer: Layer
    weight: float = 1.0
    fields: Fields = "all"
    """What of an object, or of a record, the keyword route over their layer looks at."""
    precision: dense.Precision = "bits+bytes"
    """How exactly the route by meaning compares vectors."""

    @property
    def name(self) -> str:
        """The name shown in plans, reports and traces."""
        return f"{self.kind}:{self.layer}"


@dataclass(frozen=True)
class Ground:
    """What routes search in: a connection, the question, and the embedder where there is one."""

    con: Connection
    query: Query
    scope: Scope
    depth: int
    embedder: Embedder | None = None
    ran: "dict[Route, tuple[Found, RouteReport, float]]" = field(default_factory=dict)
    """What routes have found so far, and the seconds it took: a plan runs each once, many plans share them."""

    def found(self, route: Route) -> "tuple[Found, RouteReport]":
        """Return what a route finds here; its weight does not matter for that."""
        bare = structs.replace(route, weight=1.0)
        if bare not in self.ran:
            started = time.perf_counter()
            self.ran[bare] = (*run(bare, self), time.perf_counter() - started)
        return self.ran[bare][:2]

    def seconds(self, route: Route) -> float:
        """Return how long a route that has run took."""
        return self.ran[structs.replace(route, weight=1.0)][2]

    @cached_property
    def vector(self) -> bytes:
        """The question's vector, made once however many routes ask; this is what loads the model."""
        if self.embedder is None:
            raise ModelUnusable("no embedding model at hand")
        return self.embedder.embed_query(_meaning(self.query))


def scope_of(query: Query) -> Scope:
    """Return what every candidate of a question must be."""
    return Scope(query.filters, analyse.match_musts(query), analyse.match_nots(query))


class Found(NamedTuple):
    """What a route found. `ran` is False when it could not look, `why` tells when it found nothing on purpose."""

    ranking: list[Scored]
    ran: bool = True
    why: str = ""
    matches: Sequence[Match] = ()
    """The records that lead to what was found, best first."""


def run(route: Route, ground: Ground) -> tuple[Found, RouteReport]:
    """Run one route."""
    found = _RUN[route.kind](route, ground)
    return found, RouteReport(route.kind, route.layer, found.ran, len(found.ranking), found.why)


def by_exchange(matches: Iterable[Match]) -> list[Scored]:
    """Return the exchanges that records lead to, best first; each is as good as its best record."""
    best: dict[int, float] = {}
    for match in matches:
        best.setdefault(match.exchange_id, match.score)
    return [Scored(*row) for row in best.items()]


def _of_records(matches: Sequence[Match]) -> Found:
    return Found(by_exchange(matches), matches=matches)


def _bm25(route: Route, ground: Ground) -> Found:
    match = analyse.match_any(ground.query)
    if not match:
        return Found([], ran=False, why="no words to look for")
    if route.layer == "records":
        match = f"{RECORD_COLUMNS[route.fields]} : ({match})"
        return _of_records(record_routes.find_by_words(ground.con, match, ground.depth, ground.scope))
    if route.layer == "distilled":
        match = f"{COLUMNS[route.fields]} : ({match})"
    find: Callable[[Connection, str, int, Scope], list[Scored]] = {
        "verbatim": lexical.find_exchanges,
        "distilled": lexical.find_by_object,
        "tools": lexical.find_by_tools,
    }[route.layer]
    return Found(find(ground.con, match, ground.depth, ground.scope))


def _dense(route: Route, ground: Ground) -> Found:
    layer = _EMBEDDED[route.layer]
    if not ground.query.words:
        return Found([], ran=False, why="no words to look for")
    if not dense.has_index(ground.con, layer):
        return Found([], ran=False, why=NOT_EMBEDDED[layer])
    try:
        if ground.embedder is not None:
            dense.check_fingerprint(ground.con, layer, ground.embedder.fingerprint)
        found = _nearest(route, ground, layer)
    except (EmbedderMismatch, ModelUnusable) as error:
        return Found([], ran=False, why=str(error))
    said = lexical.is_said(ground.con, analyse.match_any(ground.query))
    best = found.ranking[0].score if found.ranking else 1.0
    if best < (LEAST_SIMILAR if said else LEAST_SIMILAR_UNSAID):
        return Found([], why=f"nothing is close in meaning: the best cosine is {best:.2f}")
    return found


def _nearest(route: Route, ground: Ground, layer: dense.Layer) -> Found:
    if layer == "records":
        return _of_records(record_routes.find_by_meaning(ground.con, ground.vector, ground.scope))
    return Found(dense.nearest(ground.con, layer, ground.vector, ground.scope, route.precision)[: ground.depth])


def _dimensional(route: Route, ground: Ground) -> Found:
    analysis = ground.query.analysis
    speakers = record_routes.known_speakers(ground.con, analysis.keywords)
    wanted = dimensional.wanted(analysis, speakers)
    if not dimensional.constrains(wanted):
        return Found([], ran=False, why="the question constrains no dimension")
    weights = dimensional.weights(wanted)
    return _of_records(record_routes.find_by_dimensions(ground.con, wanted, weights, ground.depth, ground.scope))


def _meaning(query: Query) -> str:
    """Return the question without its operators, which mean nothing to an embedding model."""
    if not (query.phrases or query.required or query.excluded):
        return query.text
    return " ".join(query.words)


def _newest(route: Route, ground: Ground) -> Found:
    if not ground.scope.is_narrow:
        return Found([], ran=False, why="neither words nor a filter")
    return Found(lexical.find_newest(ground.con, ground.depth, ground.scope))


_EMBEDDED: dict[Layer, dense.Layer] = {"verbatim": "verbatim", "distilled": "distilled", "records": "records"}
_RUN: dict[str, Callable[[Route, Ground], Found]] = {
    "bm25": _bm25,
    "dense": _dense,
    "dimensional": _dimensional,
    "newest": _newest,
}
