"""What can still be read of a damaged file, in a new one. The damaged file is only read.

Rows keep their ids. A table is read from its first row on and, where that breaks off, from its last row back, so that a
broken page costs what is on it and not what is behind it. A text whose conversation is lost gets one that says so; what
was made of text, and rests on a row that is lost, is left out and counted.
"""

from collections.abc import Sequence
from typing import Any

import apsw
from msgspec import Struct

from memlite.store import schema
from memlite.store.portable import STAYS, tables

SALVAGED = "salvaged"
"""The kind of source of what was said in conversations that could not be read."""

# A row that no longer keeps the schema's rules was on a broken page.
BREAKS = (apsw.CorruptError, apsw.IOError, apsw.NotADBError)
ADD_SOURCE = "insert into source (kind, path) values (?, 'conversations that could not be read')"
ADD_SOURCES = """
insert into source (id, kind, path)
select distinct source_id, 'salvaged', 'source ' || source_id from conversation
where source_id not in (select id from source)
"""
ADD_CONVERSATIONS = """
insert into conversation (id, source_id, kind, external_id, added_at)
select conversation_id, (select id from source where kind = :kind), :kind, 'conversation ' || conversation_id,
       min(added_at)
from message where conversation_id not in (select id from conversation) group by conversation_id
"""


class Copied(Struct):
    """What came of copying: rows by table, rows left out by table, tables of which a part could not be read."""

    rows: dict[str, int]
    lost: dict[str, int]
    unread: tuple[str, ...]


def salvage(damaged: apsw.Connection, new: apsw.Connection) -> Copied:
    """Copy every row that can be read into an empty file, which becomes a store of the same schema.

    The indexes of keywords and vectors are empty: they are made again, as for any store (see examine.mend).
    """
    version = min(damaged.pragma("user_version"), len(schema.STEPS)) or len(schema.STEPS)
    with new:
        for statement in (statement for step in schema.STEPS[:version] for statement in step):
            new.execute(statement)
        new.pragma("application_id", schema.APPLICATION_ID)
        new.pragma("user_version", version)
        there = {name for (name,) in new.execute("select name from sqlite_schema where type = 'table'")}
        names = [table for table in (*tables(), *sorted(STAYS)) if table in there]
        unread = tuple(table for table in names if not _copy(damaged, new, table))
        new.execute(ADD_SOURCES)
        new.execute(ADD_SOURCE, (SALVAGED,))
        new.execute(ADD_CONVERSATIONS, {"kind": SALVAGED})
        if "forgetting" in there:
            new.execute("insert into forgetting (id) values (1)")
        lost = _leave_out(new, names)
        # What no text states any more is no record.
        new.execute("delete from record where id not in (select record_id from record_source)")
        lost["record"] = lost.get("record", 0) + new.changes()
        if "forgetting" in there:
            new.execute("delete from forgetting")
        rows = {table: int(new.execute(f"select count(*) from {table}").get) for table in names}
    return Copied(_some(rows), _some(lost), unread)


def _some(counts: dict[str, int]) -> dict[str, int]:
    return {table: count for table, count in counts.items() if count}


def _copy(damaged: apsw.Connection, new: apsw.Connection, table: str) -> bool:
    """Copy the rows of a table that can be read; return whether that is all of it."""
    described = list(new.execute("select name, pk from pragma_table_info(?) order by pk", (table,)))
    key = [str(name) for name, place in described if place] or ["rowid"]
    columns = [str(name) for name, _ in described] + (["rowid"] if key == ["rowid"] else [])
    whole = _copy_rows(damaged, new, table, columns, [f"{name} asc" for name in key])
    return whole or _copy_rows(damaged, new, table, columns, [f"{name} desc" for name in key]) and False


def _copy_rows(
    damaged: apsw.Connection, new: apsw.Connection, table: str, columns: Sequence[str], order: Sequence[str]
) -> bool:
    names = ", ".join(columns)
    insert = f"insert or replace into {table} ({names}) values ({', '.join('?' * len(columns))})"
    whole = True
    try:
        for row in damaged.execute(f"select {names} from {table} order by {', '.join(order)}"):
            whole &= _insert(new, insert, row)
    except (*BREAKS, apsw.SQLError):
        return False
    return whole


def _insert(new: apsw.Connection, sql: str, row: Any) -> bool:
    try:
        new.execute(sql, row)
    except apsw.ConstraintError:
        return False
    return True


def _leave_out(con: apsw.Connection, names: Sequence[str]) -> dict[str, int]:
    """Delete what refers to rows that are not there; return how many rows of which table."""
    lost: dict[str, int] = {}
    before = -1
    while sum(lost.values()) != before:  # until nothing refers to what went last
        before = sum(lost.values())
        for table in names:
            for column, parent, key in con.execute(
                'select "from", "table", "to" from pragma_foreign_key_list(?)', (table,)
            ).fetchall():
                con.execute(f"delete from {table} where {column} not in (select {key} from {parent})")
                if con.changes():
                    lost[table] = lost.get(table, 0) + con.changes()
    return lost
