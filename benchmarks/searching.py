"""Warm searches: the routes, the plans, the filters, and the floors they stand on."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from benchmarks.figures import Figure, milliseconds
from benchmarks.generate import queries
from benchmarks.stores import Built, build
from memlite.memory import Memory
from memlite.models import load_embedder
from memlite.models.base import Embedder
from memlite.retrieve import analyse
from memlite.store import dense
from memlite.store.connection import Store
from memlite.store.lexical import Scope
from memlite.types.query import Filters

QUERIES, WARM_UP = 100, 10
TARGETS = {(15_000, "verbatim"): "5", (15_000, "auto"): "25", (100_000, "auto"): "60"}
FILTERS: dict[str, dict[str, str]] = {
    "project": {"project": "project-3"},
    "dates": {"since": "2024-01-03", "until": "2024-01-05"},
}
FLOOR = "select rowid, rank from fts_exchange where fts_exchange match ? order by rank limit 10"


class _Remembering:
    """Embeds each question once, so that a search can be timed without it."""

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint, self.embed = embedder.fingerprint, embedder.embed
        self._embedder = embedder
        self._known: dict[str, bytes] = {}

    def embed_query(self, text: str) -> bytes:
        """Return the vector of a question."""
        if text not in self._known:
            self._known[text] = self._embedder.embed_query(text)
        return self._known[text]


def measure(folder: Path, models: Path, sizes: Sequence[int]) -> list[Figure]:
    """Measure searches in stores of each size."""
    embedder = load_embedder(models)
    embedder.embed_query("to load the model")
    figures = []
    for size in sizes:
        built = build(folder, size, models)
        asked = queries(built.source, QUERIES + WARM_UP)
        figures += [*_plans(built, embedder, asked), *_lexical_floor(built, asked), *_dense(built, embedder, asked)]
    return figures


def _plans(built: Built, embedder: Embedder, asked: Sequence[str]) -> list[Figure]:
    size = f"{built.exchanges:,}"
    remembering = _Remembering(embedder)

    def times(memory: Memory, name: str, mode: str, target: str = "", **filters: str) -> Figure:
        calls = (_call(memory.search, text, mode=mode, **filters) for text in asked)
        return milliseconds(f"{size} {name}", calls, target, warm_up=WARM_UP)

    with Memory(built.db, embedder=embedder) as memory:
        whole = [
            times(memory, f"{mode}, with the question's embedding", mode, TARGETS.get((built.exchanges, mode), ""))
            for mode in ("auto", "cross")
        ]
    embed = milliseconds(
        f"{size} embedding of the question", (_call(remembering.embed_query, text) for text in asked), "10", warm_up=1
    )
    with Memory(built.db, embedder=remembering) as memory:
        parts = [
            times(memory, mode, mode, TARGETS.get((built.exchanges, mode), "") if mode == "verbatim" else "")
            for mode in ("verbatim", "cross", "auto")
        ]
        filtered = [
            times(memory, f"{mode}, filter by {name}", mode, **filters)
            for name, filters in FILTERS.items()
            for mode in ("verbatim", "auto")
        ]
    return [*whole, embed, *parts, *filtered]


def _call(function: Callable[..., Any], *args: Any, **options: Any) -> Callable[[], Any]:
    return lambda: function(*args, **options)


def _lexical_floor(built: Built, asked: Sequence[str]) -> list[Figure]:
    con = apsw.Connection(str(built.db), flags=apsw.SQLITE_OPEN_READONLY)
    matches = [analyse.match_any(analyse.analyse(text, Filters())) for text in asked]
    calls = (_call(lambda match: con.execute(FLOOR, (match,)).fetchall(), match) for match in matches)
    name = f"{built.exchanges:,} floor: FTS5 bm25, same words, ten best"
    return [milliseconds(name, calls, warm_up=WARM_UP)]


def _dense(built: Built, embedder: Embedder, asked: Sequence[str]) -> list[Figure]:
    """The nearest vectors by the store and by one matrix product, and how many of the best ten both name."""
    store = Store(built.db)
    rows = list(store.con.execute("select exchange_id, embedding from vector where layer = 'distilled'"))
    ids = np.array([id for id, _ in rows])
    vectors = np.vstack([np.frombuffer(vector, np.int8) for _, vector in rows]).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    asking = [np.frombuffer(embedder.embed_query(text), "<f4") for text in asked]

    def ours(vector: Any) -> list[int]:
        return [id for id, _ in dense.nearest(store.con, "distilled", vector.tobytes(), Scope())]

    def brute(vector: Any) -> list[int]:
        scores = vectors @ vector
        best = np.argpartition(-scores, 10)[:10]
        return list(ids[best[np.argsort(-scores[best])]])

    size = f"{built.exchanges:,}"
    mine = milliseconds(f"{size} dense route", (_call(ours, vector) for vector in asking), warm_up=WARM_UP)
    floor = milliseconds(f"{size} floor: numpy product", (_call(brute, vector) for vector in asking), warm_up=WARM_UP)
    shared = [len(set(ours(vector)[:10]) & set(brute(vector))) for vector in asking]
    store.close()
    ratio = Figure(f"{size} dense route over numpy product", round(mine.value / floor.value, 2), "times", "3")
    agreement = Figure(f"{size} of the ten nearest, found", sum(shared) / len(shared) / 10, "share")
    return [mine, floor, ratio, agreement]
