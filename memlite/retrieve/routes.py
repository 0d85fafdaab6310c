"""The ways to find candidates. Each returns a ranking and a report, and abstains where it has nothing to say."""

from collections.abc import Callable
from typing import Literal

import apsw
from msgspec import Struct

from memlite.errors import EmbedderMismatch, ModelUnusable
from memlite.models.base import Embedder
from memlite.retrieve import analyse
from memlite.store import dense, lexical
from memlite.store.lexical import Scope, Scored
from memlite.types.query import Layer, Query, RouteReport

# Below this cosine MiniLM's neighbours are no longer about the same thing (see benchmarks/README.md).
MIN_SIMILARITY = 0.25


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

    con: apsw.Connection
    query: Query
    scope: Scope
    depth: int
    vector: bytes | None = None
    why_no_vector: str = ""


def scope_of(query: Query) -> Scope:
    """Return what every candidate of a question must be."""
    return Scope(query.filters, analyse.match_musts(query), analyse.match_nots(query))


def run(route: Route, ground: Ground) -> tuple[list[Scored], RouteReport]:
    """Run one route."""
    found, why = _RUN[route.kind](route, ground)
    return found, RouteReport(route.kind, route.layer, ran=not why, candidates=len(found), why=why)


def _bm25(route: Route, ground: Ground) -> tuple[list[Scored], str]:
    match = analyse.match_any(ground.query)
    if not match:
        return [], "no words to look for"
    find: Callable[[apsw.Connection, str, int, Scope], list[Scored]] = {
        "verbatim": lexical.find_exchanges,
        "distilled": lexical.find_by_object,
        "tools": lexical.find_by_tools,
    }[route.layer]
    return find(ground.con, match, ground.depth, ground.scope), ""


def embed_question(con: apsw.Connection, query: Query, embedder: Embedder | None) -> tuple[bytes | None, str]:
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


def _dense(route: Route, ground: Ground) -> tuple[list[Scored], str]:
    if ground.vector is None:
        return [], ground.why_no_vector
    found = dense.nearest(ground.con, ground.vector, ground.scope)
    return [scored for scored in found if scored.score >= MIN_SIMILARITY], ""


def _meaning(query: Query) -> str:
    """Return the question without its operators, which mean nothing to an embedding model."""
    if not (query.phrases or query.required or query.excluded):
        return query.text
    return " ".join(query.words)


def _newest(route: Route, ground: Ground) -> tuple[list[Scored], str]:
    if not ground.scope.is_narrow:
        return [], "neither words nor a filter"
    return lexical.find_newest(ground.con, ground.depth, ground.scope), ""


_RUN: dict[str, Callable[[Route, Ground], tuple[list[Scored], str]]] = {
    "bm25": _bm25,
    "dense": _dense,
    "newest": _newest,
}
