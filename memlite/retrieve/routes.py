"""The ways to find candidates. Each returns a ranking and a report, and abstains where it has nothing to say."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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


Fields = Literal["core", "core+files", "core+rooms", "all"]
COLUMNS: dict[Fields, str] = {
    "core": "{core context}",
    "core+files": "{core context files}",
    "core+rooms": "{core context rooms}",
    "all": "{core context files rooms}",
}


NOT_EMBEDDED: dict[dense.Layer, str] = {
    "distilled": "nothing is embedded yet: run memlite distill",
    "verbatim": "what was said has no vectors of its own: run memlite embed --verbatim",
}


class Route(Struct, frozen=True):
    """One way to find candidates over one layer."""

    kind: Literal["bm25", "dense", "newest"]
    layer: Layer
    weight: float = 1.0
    fields: Fields = "all"
    """What of an object the keyword route over the distilled layer looks at."""

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


def run(route: Route, ground: Ground) -> tuple[list[Scored], RouteReport]:
    """Run one route."""
    found = _RUN[route.kind](route, ground)
    return found.ranking, RouteReport(route.kind, route.layer, found.ran, len(found.ranking), found.why)


def _bm25(route: Route, ground: Ground) -> Found:
    match = analyse.match_any(ground.query)
    if not match:
        return Found([], ran=False, why="no words to look for")
    if route.layer == "distilled":
        match = f"{COLUMNS[route.fields]} : ({match})"
    find: Callable[[Connection, str, int, Scope], list[Scored]] = {
        "verbatim": lexical.find_exchanges,
        "distilled": lexical.find_by_object,
        "tools": lexical.find_by_tools,
    }[route.layer]
    return Found(find(ground.con, match, ground.depth, ground.scope))


def _dense(route: Route, ground: Ground) -> Found:
    layer: dense.Layer = "verbatim" if route.layer == "verbatim" else "distilled"
    if not ground.query.words:
        return Found([], ran=False, why="no words to look for")
    if not dense.has_index(ground.con, layer):
        return Found([], ran=False, why=NOT_EMBEDDED[layer])
    try:
        if ground.embedder is not None:
            dense.check_fingerprint(ground.con, layer, ground.embedder.fingerprint)
        found = dense.nearest(ground.con, layer, ground.vector, ground.scope)[: ground.depth]
    except (EmbedderMismatch, ModelUnusable) as error:
        return Found([], ran=False, why=str(error))
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
