"""The ways to find candidates. Each returns a ranking and a report, and abstains where it has nothing to say."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from memlite.errors import EmbedderMismatch, ModelUnusable
from memlite.models.base import Embedder
from memlite.retrieve import analyse
from memlite.store import dense, lexical
from memlite.store.connection import Connection
from memlite.store.lexical import Scope, Scored
from memlite.types.query import Layer, Query, RouteReport

# MiniLM always has a nearest neighbour. On LoCoMo and a coding history the best cosine of a real question is above 0.26
# in 99 of 100, that of words nobody said (typed at random, or on another subject) mostly below 0.30, at most 0.41.
# So the route abstains below the first figure, and below the second when no word of the question was ever said.
LEAST_SIMILAR, LEAST_SIMILAR_UNSAID = 0.25, 0.45


class Route(Struct, frozen=True):
    """One way to find candidates over one layer."""

    kind: Literal["bm25", "dense", "newest"]
    layer: Layer
    weight: float = 1.0

    @property
    def name(self) -> str:
        """The name shown in plans, reports and traces."""
        return f"{self.kind}:{self.layer}"


class Ground(Struct, frozen=True):
    """What routes search in: a connection, the question, and its vector or why there is none."""

    con: Connection
    query: Query
    scope: Scope
    depth: int
    vector: bytes | None = None
    why_no_vector: str = ""


def scope_of(query: Query) -> Scope:
    """Return what every candidate of a question must be."""
    return Scope(query.filters, analyse.match_musts(query), analyse.match_nots(query))


class Found(NamedTuple):
    """What a route found. `ran` is False when it could not look, `why` tells when it found nothing on purpose."""

    ranking: list[Scored]
    ran: bool = True
    why: str = ""


def run(route: Route, ground: Ground) -> tuple[list[Scored], RouteReport]:
    """Run one route."""
    found = _RUN[route.kind](route, ground)
    return found.ranking, RouteReport(route.kind, route.layer, found.ran, len(found.ranking), found.why)


def _bm25(route: Route, ground: Ground) -> Found:
    match = analyse.match_any(ground.query)
    if not match:
        return Found([], ran=False, why="no words to look for")
    find: Callable[[Connection, str, int, Scope], list[Scored]] = {
        "verbatim": lexical.find_exchanges,
        "distilled": lexical.find_by_object,
        "tools": lexical.find_by_tools,
    }[route.layer]
    return Found(find(ground.con, match, ground.depth, ground.scope))


def embed_question(con: Connection, query: Query, embedder: Embedder | None) -> tuple[bytes | None, str]:
    """Return the vector of a question, or None and why there is none."""
    if not query.words:
        return None, "no words to look for"
    if embedder is None:
        return None, "no embedding model at hand"
    if not dense.has_index(con):
        return None, "nothing is embedded yet: run memlite distill"
    try:
        dense.check_fingerprint(con, embedder.fingerprint)
        return embedder.embed_query(_meaning(query)), ""
    except (EmbedderMismatch, ModelUnusable) as error:
        return None, str(error)


def _dense(route: Route, ground: Ground) -> Found:
    if ground.vector is None:
        return Found([], ran=False, why=ground.why_no_vector)
    found = dense.nearest(ground.con, ground.vector, ground.scope)[: ground.depth]
    said = lexical.is_said(ground.con, analyse.match_any(ground.query))
    if found and found[0].score < (LEAST_SIMILAR if said else LEAST_SIMILAR_UNSAID):
        return Found([], why=f"nothing is close in meaning: the best cosine is {found[0].score:.2f}")
    return Found(found)


def _meaning(query: Query) -> str:
    """Return the question without its operators, which mean nothing to an embedding model."""
    if not (query.phrases or query.required or query.excluded):
        return query.text
    return " ".join(query.words)


def _newest(route: Route, ground: Ground) -> Found:
    if not ground.scope.is_narrow:
        return Found([], ran=False, why="neither words nor a filter")
    return Found(lexical.find_newest(ground.con, ground.depth, ground.scope))


_RUN: dict[str, Callable[[Route, Ground], Found]] = {"bm25": _bm25, "dense": _dense, "newest": _newest}
