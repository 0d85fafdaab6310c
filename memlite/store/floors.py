"""The floors that a bench sets memlite beside: one plain FTS5 table, one durable row, the single indexes of a store.

They are what SQLite alone takes for the same text on the same machine, so that a figure can be read as a ratio.
"""

from collections.abc import Sequence

import apsw

from memlite.store import dense
from memlite.store.lexical import Scope

MAKE_TABLE = "create virtual table floor using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"
ADD_TEXT = "insert into floor (text) values (?)"
MAKE_ROWS = "create table floor (text text)"
BEST_BY_WORDS = "select rowid from fts_exchange where fts_exchange match ? order by rank limit 10"
VECTORS = "select exchange_id, embedding from vector where layer = 'distilled' order by exchange_id"
SAID = "select coalesce(sum(octet_length(content)), 0) from message"
BY_TABLE = "select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit ?"
DISTILLED = """
select exchange_core || char(10) || specific_context from palace_object order by exchange_id limit ?
"""


def make_table(con: apsw.Connection, *, full_text: bool) -> None:
    """Make the table of a floor in an empty file, in WAL mode as a store is."""
    con.pragma("journal_mode", "wal")
    con.execute(MAKE_TABLE if full_text else MAKE_ROWS)


def add_texts(con: apsw.Connection, texts: Sequence[str]) -> None:
    """Store texts in one transaction, durable on return."""
    with con:
        con.executemany(ADD_TEXT, ((text,) for text in texts))


def best_by_words(con: apsw.Connection, match: str) -> list[int]:
    """Return the ten best exchanges by BM25 alone, which is less than any route does."""
    return [id for (id,) in con.execute(BEST_BY_WORDS, (match,))]


def nearest(con: apsw.Connection, vector: bytes) -> list[int]:
    """Return the exchanges whose objects are nearest, by the dense route alone."""
    return [id for id, _ in dense.nearest(con, "distilled", vector, Scope())]


def vectors(con: apsw.Connection) -> list[tuple[int, bytes]]:
    """Return all vectors of objects, a signed byte a dimension, with their exchanges."""
    return list(con.execute(VECTORS))


def distilled_texts(con: apsw.Connection, count: int) -> list[str]:
    """Return the first so many texts that are embedded."""
    return [text for (text,) in con.execute(DISTILLED, (count,))]


def bytes_said(con: apsw.Connection) -> int:
    """Return the bytes of all that was said."""
    return int(con.execute(SAID).get)


def largest_tables(con: apsw.Connection, count: int) -> list[tuple[str, int]]:
    """Return the tables and indexes that take most of the file, with their bytes."""
    return list(con.execute(BY_TABLE, (count,)))
