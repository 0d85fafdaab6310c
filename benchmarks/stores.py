"""Stores of generated conversations, made once and kept in a cache folder.

To distil and embed 100,000 exchanges takes an hour of two busy cores. So all text is imported, the first REAL exchanges
are distilled and embedded by the shipped path, and the others are given the objects of those in turn, with vectors that
are unequally weighted means of two of theirs: as many rows and bytes, about the same spread. Speed and size do not
depend on what the vectors mean; quality does, and is measured elsewhere, on real conversations.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np
from msgspec import Struct, structs

from benchmarks.generate import write_jsonl
from memlite.memory import Memory
from memlite.models import load_embedder
from memlite.store import dense, palace, schema
from memlite.store.connection import Store
from memlite.store.palace import Making
from memlite.types.palace import PalaceObject

REAL = 5_000
SHARE = 0.35  # of the second vector in a mean
NOW = "2026-01-01T00:00:00.000Z"


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
        for left in folder.glob(f"{part.name}*"):  # of a run that was killed: also its write-ahead log
            left.unlink()
        with Memory(part, embedder=load_embedder(models)) as memory:
            memory.import_path(source)
            memory.distill(limit=REAL)
        _stand_in(part)
        part.rename(db)
    return Built(exchanges, db, source)


def _stand_in(db: Path) -> None:
    """Give every exchange that is not distilled an object and a vector made from those that are."""
    store = Store(db)
    random = np.random.default_rng(4)
    ids = [id for (id,) in store.con.execute("select exchange_id from palace_object")]
    made = list(palace.get_objects(store.con, ids).values())
    vectors = store.con.execute("select embedding from vector where layer = 'distilled' order by id")
    real = np.vstack([np.frombuffer(vector, np.int8) for (vector,) in vectors])
    real = real / np.linalg.norm(real, axis=1, keepdims=True)
    waiting = [id for (id,) in store.con.execute("select exchange_id from task where kind = 'distill'")]
    for some in _batches(waiting, 1000):
        first, second = random.integers(0, len(real), (2, len(some)))
        mixed = (1 - SHARE) * real[first] + SHARE * real[second]
        mixed = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype("<f4")
        with store.transaction() as con:
            for id, at in zip(some, first, strict=True):
                given = PalaceObject(**structs.asdict(made[at]))
                palace.replace_object(con, id, given, Making("", "stand-in", 0.0, 0, 0), f"project-{id % 20}", NOW)
            dense.add_vectors(con, "distilled", ((id, {0: v.tobytes()}) for id, v in zip(some, mixed, strict=True)))
            con.executemany("delete from task where exchange_id = ?", ((id,) for id in some))
    store.close()


def _batches(ids: list[int], size: int) -> Iterator[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
