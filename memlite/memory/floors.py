"""What a bench needs beside Memory: plain tables to compare with, and the single indexes of a store by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from memlite.store import floors, raw
from memlite.store.connection import Store

BATCH = 1000
"""Texts of one transaction."""
TABLES = 8
_WAIT_MS = 10_000


def import_plainly(path: Path, texts: Sequence[str]) -> None:
    """Put texts into one FTS5 table in a new file."""
    raw.make_private(path)
    with raw.opened(path, "", _WAIT_MS) as con:
        floors.make_table(con, full_text=True)
        for start in range(0, len(texts), BATCH):
            floors.add_texts(con, texts[start : start + BATCH])


def durable_rows(path: Path, text: str, count: int) -> Iterator[Callable[[], object]]:
    """Yield calls that each make one row durable in a new file."""
    raw.make_private(path)
    with raw.opened(path, "", _WAIT_MS) as con:
        floors.make_table(con, full_text=False)
        yield from (partial(floors.add_texts, con, [text]) for _ in range(count))


class Indexes:
    """The indexes of a store, each asked by itself."""

    def __init__(self, store: Store) -> None:
        self._con = store.con

    def by_words(self, match: str) -> list[int]:
        """Return the ten best exchanges by BM25 alone."""
        return floors.best_by_words(self._con, match)

    def nearest(self, vector: bytes) -> list[int]:
        """Return the exchanges whose objects are nearest, by the dense route alone."""
        return floors.nearest(self._con, vector)

    def vectors(self) -> list[tuple[int, bytes]]:
        """Return all vectors of objects, a signed byte a dimension, with their exchanges."""
        return floors.vectors(self._con)

    def distilled_texts(self, count: int) -> list[str]:
        """Return the first so many texts that are embedded."""
        return floors.distilled_texts(self._con, count)

    def bytes_said(self) -> int:
        """Return the bytes of all that was said."""
        return floors.bytes_said(self._con)

    def largest_tables(self) -> list[tuple[str, int]]:
        """Return the tables and indexes that take most of the file, with their bytes."""
        return floors.largest_tables(self._con, TABLES)


@contextmanager
def indexes(path: Path) -> Iterator[Indexes]:
    """Give the indexes of the store at a path."""
    store = Store(path, create=False)
    try:
        yield Indexes(store)
    finally:
        store.close()
