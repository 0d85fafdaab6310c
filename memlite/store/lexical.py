"""The keyword index: FTS5 over exchanges, objects, records and tool output. A higher score is better.

The index is kept inside the transaction that writes the text, so a word can be found as soon as it is stored. A row
must be taken out with exactly the text it was put in with; both come from the same view, before the text changes.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import apsw
import msgspec
from msgspec import Struct

from memlite.store import schema
from memlite.types.query import Filters

# -- writing --

Table = Literal["fts_exchange", "fts_object", "fts_record", "fts_tool"]

# Whole statements for each table, since a table's name cannot be a parameter.
TEXT: dict[Table, str] = {
    "fts_exchange": "select id, text from index_exchange where id = ?",
    "fts_object": "select id, core, context, files, rooms from index_object where id = ?",
    "fts_record": "select id, content, reason, purpose, keywords from index_record where id = ?",
    "fts_tool": "select id, text from index_tool where id = ?",
}
# One row of values, not `insert ... select`: SQLite puts a savepoint around that, and at each savepoint FTS5 writes out
# what it has gathered: a segment of the index for every exchange, 56,840 blocks written for 15,000 instead of 4,854.
ADD: dict[Table, str] = {
    "fts_exchange": "insert into fts_exchange (rowid, text) values (?, ?)",
    "fts_object": "insert into fts_object (rowid, core, context, files, rooms) values (?, ?, ?, ?, ?)",
    "fts_record": "insert into fts_record (rowid, content, reason, purpose, keywords) values (?, ?, ?, ?, ?)",
    "fts_tool": "insert into fts_tool (rowid, text) values (?, ?)",
}
REMOVE: dict[Table, str] = {
    "fts_exchange": "insert into fts_exchange (fts_exchange, rowid, text) values ('delete', ?, ?)",
    "fts_object": """
        insert into fts_object (fts_object, rowid, core, context, files, rooms) values ('delete', ?, ?, ?, ?, ?)
    """,
    "fts_record": """
        insert into fts_record (fts_record, rowid, content, reason, purpose, keywords) values ('delete', ?, ?, ?, ?, ?)
    """,
    "fts_tool": "insert into fts_tool (fts_tool, rowid, text) values ('delete', ?, ?)",
}


def index(con: apsw.Connection, table: Table, ids: Iterable[int]) -> None:
    """Make rows findable."""
    con.executemany(ADD[table], _texts(con, table, ids))


def unindex(con: apsw.Connection, table: Table, ids: Iterable[int]) -> None:
    """Take rows out of the index; their text must still be what it was when they were put in."""
    con.executemany(REMOVE[table], _texts(con, table, ids))


def _texts(con: apsw.Connection, table: Table, ids: Iterable[int]) -> Iterator[tuple[Any, ...]]:
    for id in ids:
        yield from con.execute(TEXT[table], (id,))


def index_tools(con: apsw.Connection, message_id: int) -> None:
    """Make the tool calls of a message findable."""
    uses: list[Any] = con.execute("select id from tool_use where message_id = ? order by id", (message_id,)).fetchall()
    index(con, "fts_tool", (id for (id,) in uses))


def rebuild(con: apsw.Connection) -> None:
    """Drop every keyword index and make it again from the text."""
    for table, statements in schema.DERIVED.items():
        con.execute(f"drop table if exists {table}")
        con.execute(f"drop view if exists {table.replace('fts_', 'index_')}")
        for statement in statements:
            con.execute(statement)
        con.execute(f"insert into {table} ({table}) values ('rebuild')")


# -- reading --

# An exchange that passes the filters. `:name = ''` leaves a filter out, so every search is the same statement.
PASSES = """
    (:include_automated or exchange.automated = '')
    and (:project = '' or conversation.project = :project or conversation.cwd = :project)
    and (:source = '' or conversation.kind = :source)
    and (:conversation = '' or conversation.external_id = :conversation)
    and (:since = '' or exchange.said_to >= :since)
    and (:until = '' or exchange.said_from < :until)
    and (:file = '' or exists (
        select 1 from file_touched where exchange_id = exchange.id
        and (path = :file or substr(path, -length(:file) - 1) = '/' || :file)
    ))
    and (:room = '' or exists (
        select 1 from room_object join room on room.id = room_id where exchange_id = exchange.id and key = :room
    ))
    and (:speaker = '' or exists (
        select 1 from exchange_turn where exchange_id = exchange.id and speaker = :speaker
    ))
    and (:type = '' or exists (
        select 1 from message join record_source on message_id = message.id join record on record.id = record_id
        where message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
        and record.type = :type and state = 'active'
    ))
    and (:min_messages = 0 or :min_messages <= (
        select count(*) from message where conversation_id = conversation.id and ply is not null
    ))
    and (:musts = '' or exchange.id in (select rowid from fts_exchange where fts_exchange match :musts))
    and (:nots = '' or exchange.id not in (select rowid from fts_exchange where fts_exchange match :nots))
"""
ALLOWED = f"""
select exchange.id from exchange join conversation on conversation.id = exchange.conversation_id where {PASSES}
"""
# FTS5's bm25() is negative and best is lowest; the sign is turned here and nowhere else. Sorted by SQLite, which keeps
# only the best: `order by rank` has FTS5 sort every match first (15,000 exchanges: median 1.8 ms and p95 12.8, not 1.3
# and 6.9).
BM25 = """
select rowid, -bm25(fts_exchange) as score from fts_exchange
where fts_exchange match :match and rowid not in (select id from exchange where automated <> '')
order by score desc, fts_exchange.rowid limit :limit
"""
BM25_FILTERED = f"""
select exchange.id, -bm25(fts_exchange) as score from fts_exchange
join exchange on exchange.id = fts_exchange.rowid
join conversation on conversation.id = exchange.conversation_id
where fts_exchange match :match and {PASSES}
order by score desc, fts_exchange.rowid limit :limit
"""
BM25_OBJECT = f"""
select exchange.id, -bm25(fts_object) as score from fts_object
join exchange on exchange.id = fts_object.rowid
join conversation on conversation.id = exchange.conversation_id
where fts_object match :match and {PASSES}
order by score desc, fts_object.rowid limit :limit
"""
BM25_TOOL = f"""
select exchange.id, max(-rank) as score from fts_tool
join tool_use on tool_use.id = fts_tool.rowid
join message on message.id = tool_use.message_id
join exchange on exchange.conversation_id = message.conversation_id
             and message.seq between exchange.seq_start and exchange.seq_end
join conversation on conversation.id = exchange.conversation_id
where fts_tool match :match and {PASSES}
group by exchange.id
order by score desc, exchange.id limit :limit
"""
NEWEST = f"""
select exchange.id, 0.0 from exchange join conversation on conversation.id = exchange.conversation_id
where {PASSES} order by said_from is null, said_from desc, exchange.id desc limit :limit
"""


class Scored(NamedTuple):
    """An exchange and its score on one route."""

    exchange_id: int
    score: float


class Scope(Struct, frozen=True):
    """What an exchange must be to be a candidate on any route: the filters, and words it must or must not hold."""

    filters: Filters = Filters()
    musts: str = ""
    nots: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether anything but automated exchanges is left out."""
        return self != Scope()

    @property
    def parameters(self) -> dict[str, str | int]:
        """The values of PASSES."""
        return {**msgspec.structs.asdict(self.filters), "musts": self.musts, "nots": self.nots}


def find_exchanges(con: apsw.Connection, match: str, limit: int, scope: Scope) -> list[Scored]:
    """Return the exchanges whose words fit a MATCH expression best, best first."""
    # Without a narrow scope no exchange row has to be read.
    sql = BM25_FILTERED if scope.is_narrow else BM25
    parameters = scope.parameters if scope.is_narrow else {}
    return [Scored(*row) for row in con.execute(sql, {**parameters, "match": match, "limit": limit})]


def find_by_object(con: apsw.Connection, match: str, limit: int, scope: Scope) -> list[Scored]:
    """Return the exchanges whose objects fit a MATCH expression best, best first; it may name columns."""
    return [Scored(*row) for row in con.execute(BM25_OBJECT, {**scope.parameters, "match": match, "limit": limit})]


def find_by_tools(con: apsw.Connection, match: str, limit: int, scope: Scope) -> list[Scored]:
    """Return the exchanges in whose tool calls or output the words occur, best first."""
    return [Scored(*row) for row in con.execute(BM25_TOOL, {**scope.parameters, "match": match, "limit": limit})]


def is_said(con: apsw.Connection, match: str) -> bool:
    """Return whether any exchange at all fits a MATCH expression."""
    return bool(con.execute("select exists (select 1 from fts_exchange where fts_exchange match ?)", (match,)).get)


def find_newest(con: apsw.Connection, limit: int, scope: Scope) -> list[Scored]:
    """Return the newest exchanges in scope, those of unknown time last; none is better than another."""
    return [Scored(*row) for row in con.execute(NEWEST, {**scope.parameters, "limit": limit})]


def tokenise(con: apsw.Connection, text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, token) of each token FTS5 sees in `text`; offsets count UTF-8 bytes."""
    tokenizer = con.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    found: Any = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return [(start, end, token) for start, end, token in found]
