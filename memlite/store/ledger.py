"""What each import did with every record it was given: stored, duplicate, or skipped with a reason. The sums close."""

import apsw
import msgspec
from msgspec import Struct

from memlite.types.report import Issue

# -- writing --

OPEN = "insert into ledger (source_id, started_at) values (?, ?)"
CLOSE = """
update ledger set finished_at = ?, records_in = ?, stored = ?, duplicate = ?, skipped = ?, dropped = ? where id = ?
"""
REMEMBER = """
update source set size = ?, mtime_ns = ?, tail_offset = ?, tail_line = ?, prefix_digest = ?, kept = ?, skipped = ?
where id = ?
"""


class Tail(Struct, frozen=True):
    """How far a file has been read, and what came of the records up to there."""

    size: int = -1
    mtime_ns: int = -1
    offset: int = 0
    line: int = 0
    prefix_digest: str = ""
    kept: int = 0
    skipped: dict[str, int] = {}


def open_entry(con: apsw.Connection, source_id: int, now: str) -> int:
    """Begin the ledger entry of one import of one source and return its id."""
    con.execute(OPEN, (source_id, now))
    return con.last_insert_rowid()


def close_entry(
    con: apsw.Connection,
    entry_id: int,
    now: str,
    counts: tuple[int, int, int],
    skipped: dict[str, int],
    dropped: dict[str, int],
) -> None:
    """Write what came of the records: `counts` is (records in, stored, duplicate)."""
    con.execute(CLOSE, (now, *counts, _json(skipped), _json(dropped), entry_id))


def add_issue(con: apsw.Connection, entry_id: int, issue: Issue) -> None:
    """Keep a record that the user should look at."""
    con.execute("insert into issue (ledger_id, line, reason) values (?, ?, ?)", (entry_id, issue.line, issue.reason))


def remember_tail(con: apsw.Connection, source_id: int, tail: Tail) -> None:
    """Keep how far a file has been read, for the next import of it."""
    state = (tail.size, tail.mtime_ns, tail.offset, tail.line, tail.prefix_digest, tail.kept, _json(tail.skipped))
    con.execute(REMEMBER, (*state, source_id))


def _json(counts: dict[str, int]) -> str:
    return msgspec.json.encode(dict(sorted(counts.items()))).decode()


# -- reading --

TAIL = """
select size, mtime_ns, tail_offset, tail_line, prefix_digest, kept, skipped from source
where kind = ? and path = ? and size is not null
"""


def get_tail(con: apsw.Connection, kind: str, path: str) -> Tail:
    """Return how far a source's file was read before; a new source gives the beginning."""
    row = con.execute(TAIL, (kind, path)).get
    if row is None:
        return Tail()
    size, mtime_ns, offset, line, digest, kept, skipped = row
    return Tail(size, mtime_ns, offset, line, digest, kept, msgspec.json.decode(skipped, type=dict[str, int]))
