"""Large stores of generated conversations.

To distil and embed 100,000 exchanges takes an hour of two busy cores. So all text is imported, the first REAL exchanges
are distilled and embedded by the shipped path, and the others are given the objects of those in turn, with vectors that
are unequally weighted means of two of theirs: as many rows and bytes, about the same spread. Speed and size do not
depend on what the vectors mean; quality does, and is measured elsewhere, on real conversations.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np
from msgspec import structs

from memlite.memory import Memory
from memlite.models.base import Embedder
from memlite.store import dense, palace, schema
from memlite.store.connection import Store
from memlite.store.palace import Making
from memlite.types.palace import PalaceObject

REAL = 5_000
SHARE = 0.35  # of the second vector in a mean
NOW = "2026-01-01T00:00:00.000Z"
VERSION = "-" + blake2b(repr(schema.STEPS).encode(), digest_size=4).hexdigest()
"""Of the schema: another one needs another store."""


def fill(db: Path, source: Path, embedder: Embedder) -> None:
    """Make a store at `db` of the conversations in `source`."""
    with Memory(db, embedder=embedder) as memory:
        memory.import_path(source)
        memory.distill(limit=REAL)
    _stand_in(db)


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
