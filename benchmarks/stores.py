"""Stores of generated conversations, made once and kept in a cache folder.

Embedding 100,000 exchanges would take an hour of two cores. So the first REAL objects of a store are embedded by the
real model, and each later vector is a mean of two of those, unequally weighted: as many bytes, about the same spread.
Everything else goes through the shipped path. Speed and size do not depend on what the vectors mean; retrieval quality
does, and is measured elsewhere, on real conversations.
"""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks.generate import write_jsonl
from memlite.memory import Memory
from memlite.models import load_embedder
from memlite.store import schema
from memlite.types.embedding import Fingerprint

REAL = 5_000
SHARE = 0.35  # of the second vector in a mean


class StandIn:
    """Embeds the first REAL texts with the real model and makes the others' vectors from theirs."""

    def __init__(self, kept: Path, cache_dir: Path) -> None:
        self._model = load_embedder(cache_dir)
        self._kept = kept
        self._random = np.random.default_rng(4)
        self._given = 0
        self._real = np.load(kept) if kept.exists() else np.zeros((0, int(self.fingerprint.dims)), np.float32)

    @property
    def fingerprint(self) -> Fingerprint:
        """The real model's, so that it can search the store."""
        return self._model.fingerprint

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one unit vector a text."""
        self._given += len(texts)
        if self._given > REAL and len(self._real):
            return self._means(len(texts))
        if self._given > len(self._real):
            fresh = [np.frombuffer(vector, "<f4") for vector in self._model.embed(texts)]
            self._real = np.vstack([self._real, *fresh])
            np.save(self._kept, self._real)
        return [vector.tobytes() for vector in self._real[self._given - len(texts) : self._given]]

    def embed_query(self, text: str) -> bytes:
        """Return the real vector of a question."""
        return self._model.embed_query(text)

    def _means(self, count: int) -> list[bytes]:
        first, second = self._random.integers(0, len(self._real), (2, count))
        mixed: Any = (1 - SHARE) * self._real[first] + SHARE * self._real[second]
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        return [vector.tobytes() for vector in mixed.astype("<f4")]


class Built(Struct, frozen=True):
    """A store that is ready to be searched, and the file it was made from."""

    exchanges: int
    db: Path
    source: Path


def build(folder: Path, exchanges: int, models: Path) -> Built:
    """Return the store of that many exchanges, making it when the folder does not hold it; `models` caches models."""
    source = write_jsonl(folder / f"conversations-{exchanges}.jsonl", exchanges)
    # Another schema needs another store.
    version = blake2b(repr(schema.STEPS).encode(), digest_size=4).hexdigest()
    db = folder / f"store-{exchanges}-{version}.db"
    if not db.exists():
        part = db.with_suffix(".part")
        part.unlink(missing_ok=True)
        with Memory(part, embedder=StandIn(folder / f"real-{version}.npy", models)) as memory:
            memory.import_path(source)
            memory.distill()
        part.rename(db)
    return Built(exchanges, db, source)
