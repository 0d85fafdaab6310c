"""The rows of a store without the ids that are its own: read to be taken elsewhere, and written where they come to.

The schema itself says which columns there are and what refers to what, so a column added later travels along. What is
said here is which tables travel, which of their rows belong to a conversation, and by what a row is known again.
Keyword indexes and vectors stay behind, since they are made again of the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense, lexical, transcript
from memlite.store.connection import id_list
from memlite.store.update import SHADOWED as UPDATED
from memlite.text.clean import clean
from memlite.types.export import Row

Values = dict[str, Any]
"""Columns with what stands in them."""

EXCHANGES = "select id from exchange where conversation_id = :conversation"
RECORDS = "select id from record where conversation_id = :conversation"
# In the order in which they can be written: what is referred to comes first.
OF_CONVERSATION = {
    "source": "id = (select source_id from conversation where id = :conversation)",
    "conversation": "id = :conversation",
    "message": "conversation_id = :conversation",
    "tool_use": "message_id in (select id from message where conversation_id = :conversation)",
    "exchange": "conversation_id = :conversation",
    "palace_object": f"exchange_id in ({EXCHANGES})",
    "room": f"id in (select room_id from room_object where exchange_id in ({EXCHANGES}))",
    "room_object": f"exchange_id in ({EXCHANGES})",
    "file_touched": f"exchange_id in ({EXCHANGES})",
    "upgrade": f"exchange_id in ({EXCHANGES})",
    "model_reading": f"exchange_id in ({EXCHANGES})",
    "record": "conversation_id = :conversation",
    "record_source": f"record_id in ({RECORDS})",
    "record_keyword": f"record_id in ({RECORDS})",
    # Vectors are asked for where the rows come to.
    "task": f"exchange_id in ({EXCHANGES}) and kind not like 'embed%'",
}
# What no conversation has: sources that gave nothing, and the account of every import.
OF_STORE = ("source", "ledger", "issue")
# Vectors are made again, records compared again, and what a store has forgotten only its own key knows again.
STAYS = frozenset({"vector", "embedding", "tombstone", "tombstone_key", "forgetting"}) | frozenset(UPDATED)
KNOWN_BY: dict[str, tuple[str, ...]] = {
    "source": ("kind", "path"),
    "conversation": ("kind", "external_id"),
    "message": ("identity",),
    "room": ("type", "key", "project"),
    "ledger": ("source_id", "started_at", "finished_at", "records_in"),
    "issue": ("ledger_id", "line", "reason"),
    "record": ("conversation_id", "type", "content", "said_at", "created_at"),
}
"""By what a row is found again in another store. Rows of other tables are not looked for."""
# How far a file has been read says nothing about a part of what it gave; who works on a task nothing in another store.
OF_THE_WHOLE = frozenset({"size", "mtime_ns", "tail_offset", "tail_line", "prefix_digest", "kept", "skipped"})
OF_THE_MOMENT = frozenset({"owner", "lease_until"})
INDEXED: tuple[tuple[str, lexical.Table], ...] = (
    ("exchange", "fts_exchange"),
    ("palace_object", "fts_object"),
    ("record", "fts_record"),
)


class Unfit(Exception):
    """A row that this store cannot take, and why."""


class Shape(Struct, frozen=True):
    """A table: its columns in order, and what the columns that refer to a row refer to."""

    name: str
    columns: tuple[str, ...]
    refers: Mapping[str, str]

    @property
    def numbered(self) -> bool:
        """Whether its rows have an id of their own."""
        return self.columns[0] == "id"


# An object goes by the id of its exchange, so what refers to an object refers to the exchange.
REFERS = """
select own."from", coalesce(further."table", own."table")
from pragma_foreign_key_list(?) as own left join pragma_foreign_key_list(own."table") as further
on further."from" = own."to"
"""


def shape(con: apsw.Connection, table: str) -> Shape:
    """Return the shape of a table."""
    columns = con.execute("select name from pragma_table_info(?)", (table,))
    return Shape(table, tuple(name for (name,) in columns), dict(con.execute(REFERS, (table,))))


def tables() -> list[str]:
    """Return every table that travels, in the order in which they can be written."""
    return [*OF_CONVERSATION, *(table for table in OF_STORE if table not in OF_CONVERSATION)]


# -- reading --

CONVERSATIONS = """
select id from conversation
where (:conversation = '' or external_id = :conversation) and (:project = '' or project = :project or cwd = :project)
order by id
"""


class Reader:
    """Reads rows and numbers them as they come, so that equal stores give equal rows whatever their ids are."""

    def __init__(self, con: apsw.Connection, *, whole: bool) -> None:
        self._con, self._whole = con, whole
        self._shapes = {table: shape(con, table) for table in tables()}
        self._numbers: dict[str, dict[int, int]] = {table: {} for table in self._shapes}

    def rows(self, conversation: str, project: str) -> Iterator[Row]:
        """Yield the rows of conversations, one conversation after another, then what belongs to none."""
        values = {"conversation": conversation, "project": project}
        for (id,) in self._con.execute(CONVERSATIONS, values).fetchall():
            for table, where in OF_CONVERSATION.items():
                yield from self._read(self._shapes[table], where, {"conversation": id})
        for table in OF_STORE if self._whole else ():
            yield from self._read(self._shapes[table], "true", {})

    def _read(self, table: Shape, where: str, values: Values) -> Iterator[Row]:
        # Names come from the schema, never from a caller.
        order = "order by id" if table.numbered else ""
        found = self._con.execute(f"select {', '.join(table.columns)} from {table.name} where {where} {order}", values)
        rows = (self._row(table, dict(zip(table.columns, row, strict=True))) for row in found)
        kept = (row for row in rows if row is not None)
        # Without ids the order is that of the content; it must not be that of the ids they refer to.
        yield from kept if table.numbered else sorted(kept, key=lambda row: msgspec.json.encode(row.values))

    def _row(self, table: Shape, values: Values) -> Row | None:
        number = None
        if table.numbered:
            numbers = self._numbers[table.name]
            id = values.pop("id")
            if id in numbers:
                return None
            number = numbers[id] = len(numbers) + 1
        for column, target in table.refers.items():
            if values[column] is not None:
                values[column] = self._numbers[target][values[column]]
        return Row(table.name, self._portable(table.name, values), number)

    def _portable(self, table: str, values: Values) -> Values:
        if table == "message":
            values["identity"] = values["identity"].hex()
        elif table == "palace_object" and values["evidence"] is not None:
            values["evidence"] = pointing(values["evidence"], self._numbers["message"])
        elif table == "task":
            values = {name: value for name, value in values.items() if name not in OF_THE_MOMENT}
            values["state"] = "pending" if values["state"] == "running" else values["state"]
        elif table == "source" and not self._whole:
            values = {name: value for name, value in values.items() if name not in OF_THE_WHOLE}
        return values


def pointing(evidence: str, ids: Mapping[int, int]) -> str:
    """Return evidence, a JSON list, that points at the same messages under other ids; what is not there is left out."""
    pointers = msgspec.json.decode(evidence, type=list[dict[str, Any]])
    moved = [{**one, "message_id": ids[one["message_id"]]} for one in pointers if one["message_id"] in ids]
    return msgspec.json.encode(moved).decode()


# -- writing --

ASK_FOR_OBJECTS = """
insert into task (exchange_id, kind, state) select value, 'embed', 'pending' from json_each(?) where true
on conflict do nothing
"""
ASK_FOR_RECORDS = """
insert into task (exchange_id, kind, state)
select distinct exchange_id, 'embed-record', 'pending' from record_exchange
where record_id in (select value from json_each(?)) on conflict do nothing
"""
ASK_FOR_VERBATIM = """
insert into task (exchange_id, kind, state)
select id, 'embed-verbatim', 'pending' from exchange
where automated = '' and id in (select value from json_each(?)) on conflict do nothing
"""


class Writer:
    """Writes rows into a store and remembers under which ids, over several transactions."""

    def __init__(self, con: apsw.Connection) -> None:
        self._shapes = {table: shape(con, table) for table in tables()}
        self._ids: dict[str, dict[int, int]] = {table: {} for table in self._shapes}

    def takes(self, row: Row) -> bool:
        """Tell whether this store has a place for all that a row says."""
        known = self._shapes.get(row.table)
        if known is None or known.numbered != (row.number is not None):
            return False
        return set(row.values) <= set(known.columns) - {"id"}

    def local(self, row: Row) -> Values | None:
        """Return a row's values as they stand in this store, or None when it belongs to something that is not here.

        :raises Unfit: a value is not what its column holds
        """
        values: Values = clean(row.values)
        if not all(_fits(value) for value in values.values()):
            raise Unfit("a value is not one that a column holds")
        for column, target in self._shapes[row.table].refers.items():
            if values.get(column) is not None:
                values[column] = self._ids[target].get(values[column])
                if values[column] is None:
                    return None
        try:
            if row.table == "message":
                values["identity"] = bytes.fromhex(values["identity"])
            elif row.table == "palace_object" and values.get("evidence") is not None:
                values["evidence"] = pointing(values["evidence"], self._ids["message"])
        except (KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
            raise Unfit(f"{type(error).__name__}: {error}") from error
        return values

    def find(self, con: apsw.Connection, row: Row, values: Values) -> int | None:
        """Return the rowid of a row that is here already, and remember it."""
        columns = KNOWN_BY.get(row.table)
        if columns is None:
            return None
        where = " and ".join(f"{column} is ?" for column in columns)
        found: int | None = con.execute(
            f"select rowid from {row.table} where {where}", [values.get(column) for column in columns]
        ).get
        if found is not None:
            self._remember(row, found)
        return found

    def insert(self, con: apsw.Connection, row: Row, values: Values) -> int:
        """Write a row and return its rowid.

        :raises Unfit: the schema does not let it in
        """
        names, places = ", ".join(values), ", ".join("?" * len(values))
        try:
            con.execute(f"insert into {row.table} ({names}) values ({places})", tuple(values.values()))
        except (apsw.ConstraintError, apsw.MismatchError, apsw.SQLError) as error:
            raise Unfit(str(error)) from error
        rowid = con.last_insert_rowid()
        self._remember(row, rowid)
        return rowid

    def at_the_end(self, con: apsw.Connection, values: Values) -> Values:
        """Return a message with the place behind the last of its conversation, wherever it stood in the file's."""
        seq, ply = transcript.next_place(con, values["conversation_id"])
        return {**values, "seq": seq, "ply": None if values.get("ply") is None else ply}

    def _remember(self, row: Row, rowid: int) -> None:
        if row.number is not None:
            self._ids[row.table][row.number] = rowid


def _fits(value: object) -> bool:
    """Tell a value that SQLite can hold: its whole numbers have 64 bits."""
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63
    return value is None or isinstance(value, str | float)


def index(con: apsw.Connection, written: Mapping[str, Sequence[int]]) -> None:
    """Make rows findable by keyword that have been written, by table, and ask for the vectors they should have."""
    for table, name in INDEXED:
        lexical.index(con, name, written.get(table, ()))
    for message_id in written.get("message", ()):
        lexical.index_tools(con, message_id)
    for statement, table in ((ASK_FOR_OBJECTS, "palace_object"), (ASK_FOR_RECORDS, "record")):
        con.execute(statement, (id_list(written.get(table, ())),))
    if dense.has_index(con, "verbatim"):
        con.execute(ASK_FOR_VERBATIM, (id_list(written.get("exchange", ())),))
