"""Warm searches: the plans, the filters, the single routes, and the floors they stand on."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from memlite.evaluate.bench.figures import Figure, milliseconds, ratio
from memlite.evaluate.bench.generate import queries
from memlite.evaluate.bench.stores import Built, Stores
from memlite.memory import Memory, floors
from memlite.models.base import Embedder
from memlite.retrieve import analyse
from memlite.types.query import Filters

TARGETS = {(15_000, "verbatim"): "5", (15_000, "auto"): "25", (100_000, "auto"): "60"}
FILTERS: dict[str, dict[str, str]] = {
    "project": {"project": "project-3"},
    "dates": {"since": "2024-01-03", "until": "2024-01-05"},
}
MODES = ("verbatim", "records", "cross", "auto")
BEST = 10


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


class _Searches:
    """The searches in one store, timed."""

    def __init__(self, built: Built, embedder: Embedder, stores: Stores) -> None:
        self.built, self.embedder = built, embedder
        self.warm_up = stores.effort.warm_up
        self.asked = queries(built.source, stores.effort.queries + self.warm_up)

    def timed(self, name: str, calls: Iterable[Callable[[], object]], target: str = "") -> Figure:
        return milliseconds(f"{self.built.exchanges:,} {name}", calls, target, warm_up=self.warm_up)

    def mode(self, memory: Memory, name: str, mode: str, target: str = "", **options: Any) -> Figure:
        return self.timed(name, (partial(memory.search, text, mode=mode, **options) for text in self.asked), target)


def measure(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Measure searches in stores of each size."""
    embedder = stores.embedder()
    figures = []
    for size in sizes:
        searches = _Searches(stores.build(size), embedder, stores)
        plans = _plans(searches)
        lexical = _lexical_floor(searches)
        figures += [*plans.values(), lexical]
        figures += [ratio(f"{size:,} {mode} over FTS5 bm25", plans[mode], lexical) for mode in ("verbatim", "auto")]
        figures += _dense(searches)
    return figures


def _plans(searches: _Searches) -> dict[str, Figure]:
    """Return the figure of each plan, first with the embedding of the question and then without."""
    size = searches.built.exchanges
    remembering = _Remembering(searches.embedder)
    found = {}
    with Memory(searches.built.db, embedder=searches.embedder, key="") as memory:
        for mode in ("auto", "cross"):
            name = f"{mode}, with the question's embedding"
            found[name] = searches.mode(memory, name, mode, TARGETS.get((size, mode), ""))
    embedding = (partial(remembering.embed_query, text) for text in searches.asked)
    found["embedding"] = searches.timed("embedding of the question", embedding, "10")
    with Memory(searches.built.db, embedder=remembering, key="") as memory:
        for mode in MODES:
            target = TARGETS.get((size, mode), "") if mode == "verbatim" else ""
            found[mode] = searches.mode(memory, mode, mode, target)
        for name, filters in FILTERS.items():
            for mode in ("verbatim", "auto"):
                label = f"{mode}, filter by {name}"
                found[label] = searches.mode(memory, label, mode, **filters)
    return found


def _lexical_floor(searches: _Searches) -> Figure:
    matches = [analyse.match_any(analyse.analyse(text, Filters())) for text in searches.asked]
    with floors.indexes(searches.built.db) as indexes:
        # A question of nothing but stop words has no words to look for, and would end in an error.
        calls = [partial(indexes.by_words, match) for match in matches if match]
        return searches.timed("floor: FTS5 bm25, same words, ten best", calls)


def _dense(searches: _Searches) -> list[Figure]:
    """The nearest vectors by the store and by one matrix product, and how many of the best ten both name."""
    import numpy as np

    size = f"{searches.built.exchanges:,}"
    asking = [np.frombuffer(searches.embedder.embed_query(text), "<f4") for text in searches.asked]
    with floors.indexes(searches.built.db) as indexes:
        rows = indexes.vectors()
        ids = np.array([id for id, _ in rows])
        vectors = np.vstack([np.frombuffer(vector, np.int8) for _, vector in rows]).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

        def brute(vector: Any) -> list[int]:
            scores = vectors @ vector
            best = np.argpartition(-scores, BEST)[:BEST] if len(scores) > BEST else np.arange(len(scores))
            return list(ids[best[np.argsort(-scores[best])]])

        mine = searches.timed("dense route", (partial(indexes.nearest, vector.tobytes()) for vector in asking))
        floor = searches.timed("floor: numpy product", (partial(brute, vector) for vector in asking))
        shared = [set(indexes.nearest(vector.tobytes())[:BEST]) & set(brute(vector)) for vector in asking]
    found = sum(map(len, shared)) / (len(shared) * min(BEST, len(rows)))
    return [
        mine,
        floor,
        ratio(f"{size} dense route over numpy product", mine, floor, "3"),
        Figure(f"{size} of the ten nearest, found", round(found, 4), "share"),
    ]
