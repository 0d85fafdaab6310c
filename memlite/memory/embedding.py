"""Making the vectors that wait, of each layer in the same way: a batch of texts without any lock, then one short write.

The layers differ only in what of an exchange is embedded: its object and what was asked, its records, or its words.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from memlite.distill import opening
from memlite.memory.working import Run, repeat
from memlite.models.base import Embedder
from memlite.store import dense, palace, recall, records, tasks
from memlite.store.connection import Store
from memlite.text import words
from memlite.text.times import now
from memlite.types.palace import Exchange

BATCH = 256
KIND: dict[dense.Layer, str] = {"distilled": "embed", "records": "embed-record", "verbatim": "embed-verbatim"}
# Of a verbatim part, estimated. MiniLM reads 256, but one sentence among 200 tokens hardly moves their vector: asked in
# other words, it had a cosine of 0.17 in parts of 200 tokens, 0.24 in parts of 60 (another one 0.22 and 0.32).
PART_TOKENS = 60

Texts = Mapping[int, Mapping[int, str]]
"""Exchange id -> part of it -> text."""


def adopt(store: Store, embedder: Embedder, layer: dense.Layer = "distilled") -> None:
    """Make sure that a layer takes this embedder's vectors.

    :raises EmbedderMismatch: the layer's vectors are another model's
    """
    with store.transaction() as con:
        dense.adopt_fingerprint(con, layer, embedder.fingerprint, now())


def embed_waiting(run: Run, embedder: Embedder, layer: dense.Layer) -> None:
    """Make the vectors of a layer that wait.

    :raises EmbedderMismatch: the layer's vectors are another model's
    """
    if tasks.count_pending(run.store.con, KIND[layer], run.bounds.project):
        adopt(run.store, embedder, layer)
        repeat(run, KIND[layer], partial(embed_some, run, embedder, layer), BATCH)


def embed_some(run: Run, embedder: Embedder, layer: dense.Layer, count: int) -> int:
    """Make the vectors of up to `count` exchanges that wait for them, and return how many there were."""
    kind = KIND[layer]
    with run.store.transaction() as con:
        ids = tasks.claim(con, kind, run.me, count, run.bounds.project)
    texts = _TEXTS[layer](run.store, ids)
    vectors = iter(embedder.embed([text for parts in texts.values() for text in parts.values()]))
    made = {id: {part: next(vectors) for part in parts} for id, parts in texts.items()}
    with run.store.transaction() as con:
        done = {id: parts for id, parts in made.items() if tasks.finish(con, id, kind, run.me)}
        if layer == "distilled":
            done = {id: {0: dense.mean_direction(list(parts.values()))} for id, parts in done.items()}
        dense.add_vectors(con, layer, done.items())
        for id in set(ids) - set(made):  # its object was taken out meanwhile: distilling will ask again
            tasks.finish(con, id, kind, run.me)
    if layer == "records":
        run.tally.records_embedded += sum(map(len, done.values()))
    else:
        run.tally.embedded += len(done)
    return len(ids)


def object_texts(distilled: str, given: Exchange) -> list[str]:
    """Return what the vector of an object is made of: its text, and the words a person asked with."""
    return [distilled, *filter(None, [opening(given)])]


def _distilled_texts(store: Store, ids: Sequence[int]) -> Texts:
    distilled = palace.distilled_texts(store.con, ids)
    found = recall.get_exchanges(store.con, list(distilled))
    return {id: _numbered(object_texts(text, found[id].exchange())) for id, text in distilled.items()}


def _verbatim_texts(store: Store, ids: Sequence[int]) -> Texts:
    """Return what was said in each exchange, in parts that the model reads whole."""
    found = recall.get_exchanges(store.con, ids)
    return {id: _numbered(words.parts(exchange.text, PART_TOKENS)) for id, exchange in found.items()}


def _record_texts(store: Store, ids: Sequence[int]) -> Texts:
    return records.get_contents(store.con, ids)


def _numbered(texts: Sequence[str] | Iterator[str]) -> dict[int, str]:
    return dict(enumerate(texts))


_TEXTS: dict[dense.Layer, Callable[[Store, Sequence[int]], Texts]] = {
    "distilled": _distilled_texts,
    "records": _record_texts,
    "verbatim": _verbatim_texts,
}
