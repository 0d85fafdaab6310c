"""Forgetting: what a selection reaches is deleted with all that was made of it, in the caller's transaction.

Two temporary tables carry a selection from step to step: `chosen` messages, and the exchanges they have `touched`. An
exchange that loses all that was said in it goes; one that keeps a part is taken out whole and cut anew by the caller,
since its object and its records may hold the words that went. Keyword rows are taken out before the text that they
were made of; every page that is freed is overwritten (`secure_delete`, and FTS5's own).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense, lexical, palace, records, tasks, tombstones
from memlite.store.connection import bounded, id_list
from memlite.text.words import words
from memlite.types.forget import Selection

# -- choosing --

TABLES = (
    "create temporary table chosen (message_id integer primary key)",
    "create temporary table touched (exchange_id integer primary key, emptied integer)",
)
CHOOSE = """
insert into chosen
select message.id from message
join conversation on conversation.id = message.conversation_id
join source on source.id = source_id
where (:conversation = '' or conversation.external_id = :conversation)
  and (:project = '' or :project in (project, cwd))
  and (:source = '' or :source in (conversation.kind, source.path))
  and (:since = '' or said_at >= :since)
  and (:until = '' or said_at < :until)
  and (:speaker = '' or speaker = :speaker)
  and (:exchange is null or exists (
      select 1 from exchange
      where id = :exchange and exchange.conversation_id = message.conversation_id and seq between seq_start and seq_end
  ))
  and (:match = '' or message.id in (
      select message.id from exchange
      join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
      where exchange.id in (
          select rowid from fts_exchange where fts_exchange match :match
          union
          select exchange.id from fts_tool
          join tool_use on tool_use.id = fts_tool.rowid
          join message on message.id = tool_use.message_id
          join exchange on exchange.conversation_id = message.conversation_id and seq between seq_start and seq_end
          where fts_tool match :match
      )
  ))
"""
TOUCH = """
insert into touched
select exchange.id, not exists (
    select 1 from message
    where conversation_id = exchange.conversation_id and seq between seq_start and seq_end and ply is not null
      and message.id not in (select message_id from chosen)
)
from exchange
where conversation_id in (select conversation_id from chosen join message on message.id = message_id)
  and (
      exists (
          select 1 from message
          where conversation_id = exchange.conversation_id and seq between seq_start and seq_end
            and message.id in (select message_id from chosen)
      )
      or exists (
          select 1 from message
          where conversation_id = exchange.conversation_id and seq = lead_seq
            and message.id in (select message_id from chosen)
      )
  )
"""
# Where nothing said is left, the tool calls and the thinking that belong to it go too.
COMPLETE = """
insert into chosen
select message.id from touched
join exchange on exchange.id = exchange_id
join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
where emptied
on conflict do nothing
"""


class Range(NamedTuple):
    """A piece of a conversation that is to be cut into exchanges anew; both ends included."""

    conversation_id: int
    seq_start: int
    seq_end: int


class Gone(Struct):
    """What a selection took out."""

    exchange_ids: list[int]
    """Those of which nothing is left."""
    record_ids: list[int]
    ranges: list[Range] = []
    remade: int = 0
    """Exchanges of which something is left."""


@contextmanager
def choosing(con: apsw.Connection, selection: Selection) -> Iterator[None]:
    """Hold what a selection reaches in the tables `chosen` and `touched` for the length of a block."""
    try:
        for statement in TABLES:
            con.execute(statement)
        con.execute(CHOOSE, msgspec.structs.asdict(selection))
        con.execute(TOUCH)
        con.execute(COMPLETE)
        yield
    finally:
        for table in ("chosen", "touched"):
            con.execute(f"drop table if exists temp.{table}")


# -- deleting --

RANGES = """
select conversation_id, seq_start, seq_end from touched join exchange on exchange.id = exchange_id
order by conversation_id, seq_start
"""
TOOL_USES = "select id from tool_use where message_id in (select message_id from chosen)"
# After what refers to them; `forgetting` opens the door that the triggers keep shut.
DELETE = (
    "insert into forgetting (id) values (1)",
    "delete from task where exchange_id in (select exchange_id from touched)",
    "delete from exchange where id in (select exchange_id from touched)",
    "delete from record_source where message_id in (select message_id from chosen)",
    "delete from tool_use where message_id in (select message_id from chosen)",
    "delete from message where id in (select message_id from chosen)",
    "delete from forgetting",
)
# What a file of which something was forgotten was read up to no longer holds: it is read again from its beginning, and
# then counted right. What is wrong with its lines may quote them.
DELETE_EMPTY = (
    """
    delete from issue where ledger_id in (
        select ledger.id from ledger join conversation using (source_id)
        where conversation.id in (select value from json_each(:conversations))
    )
    """,
    """
    update source set size = null, mtime_ns = null, tail_offset = 0, tail_line = 0, prefix_digest = '', kept = 0,
                      skipped = '{}'
    where id in (
        select source_id from conversation where id in (select value from json_each(:conversations))
    )
    """,
    """
    delete from conversation
    where id in (select value from json_each(:conversations))
      and not exists (select 1 from message where conversation_id = conversation.id)
    """,
    """
    delete from ledger
    where source_id in (select value from json_each(:sources))
      and not exists (select 1 from conversation where conversation.source_id = ledger.source_id)
    """,
    """
    delete from source
    where id in (select value from json_each(:sources))
      and not exists (select 1 from conversation where source_id = source.id)
    """,
    "delete from room where not exists (select 1 from room_object where room_id = room.id)",
)
CONVERSATIONS = "select distinct conversation_id from chosen join message on message.id = message_id"
SOURCES = "select distinct source_id from conversation where id in (select value from json_each(?))"
TITLES = """
select id, kind, external_id, title,
       (select group_concat(content, char(10)) from message where conversation_id = conversation.id)
from conversation where id in (select value from json_each(?)) and title <> ''
"""


def delete_chosen(con: apsw.Connection, now: str) -> Gone:
    """Delete what is chosen with all that was made of it, and leave tombstones."""
    touched, emptied = _column(con, "select exchange_id from touched"), _emptied(con)
    ranges = list(_joined(con.execute(RANGES)))
    conversations = id_list(_column(con, CONVERSATIONS))
    sources = id_list(_column(con, SOURCES, conversations))
    tombstones.bury_messages(con, now)
    lexical.unindex(con, "fts_tool", _column(con, TOOL_USES))
    lexical.unindex(con, "fts_exchange", touched)
    palace.remove_objects(con, touched)
    gone = _delete_records(con, touched)
    for layer in dense.INDEX:
        dense.remove_vectors(con, layer, touched)
    for statement in DELETE:
        con.execute(statement)
    _clear_titles(con, conversations, now)
    for statement in DELETE_EMPTY:
        con.execute(statement, {"conversations": conversations, "sources": sources})
    return Gone(emptied, gone, ranges, len(touched) - len(emptied))


def _emptied(con: apsw.Connection) -> list[int]:
    return _column(con, "select exchange_id from touched where emptied order by exchange_id")


def _column(con: apsw.Connection, sql: str, *parameters: Any) -> list[int]:
    return [id for (id,) in _rows(con, sql, parameters)]


def _rows(con: apsw.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
    return con.execute(sql, parameters).fetchall()


def _joined(pieces: Iterable[Any]) -> Iterator[Range]:
    """Yield ranges, those that follow each other as one."""
    last: Range | None = None
    for piece in map(Range._make, pieces):
        if last and (last.conversation_id, last.seq_end + 1) == (piece.conversation_id, piece.seq_start):
            last = last._replace(seq_end=piece.seq_end)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _clear_titles(con: apsw.Connection, conversations: str, now: str) -> None:
    """Clear the titles that have words of which nothing that is left has any: they may tell what is gone."""
    hashed = tombstones.hasher(con)
    for id, kind, external_id, title, left in _rows(con, TITLES, (conversations,)):
        if not _words(title) <= _words(left or ""):
            tombstones.bury(con, [tombstones.hash_title(hashed, kind, external_id, title)], now)
            con.execute("update conversation set title = '' where id = ?", (id,))


# -- records --

# What rests on exchanges that are taken out goes, unless it rests on others too. What stays is looked at once more: the
# messages before one are read to understand it, and may have lent a record a name.
STANDING = """
with concerned (record_id) as (
    select record_id from record_source where message_id in (select message_id from chosen)
    union
    select id from record
    where conversation_id in (select conversation_id from chosen join message on message.id = message_id)
),
rest (record_id, exchange_id) as (
    select record_id, exchange_id from record_exchange
    where record_id in (select record_id from concerned)
      and exchange_id not in (select exchange_id from touched)
)
select record.id, concat_ws(' ', content, location, reason, purpose, keywords, speaker),
       (select json_group_array(exchange_id) from rest where record_id = record.id),
       (select group_concat(speaker || ' ' || content, char(10)) from exchange_turn
        where exchange_id in (select exchange_id from rest where record_id = record.id))
from record where id in (select record_id from concerned)
"""
FORGOTTEN_TEXT = "select speaker || ' ' || content from chosen join message on message.id = message_id"
MOVE = """
update record
set conversation_id = (select conversation_id from exchange where id = :exchange)
where id = :record
"""


def _delete_records(con: apsw.Connection, touched: Sequence[int]) -> list[int]:
    """Delete the records that rest on what goes alone or tell of it, and return their ids."""
    forgotten = {word for (text,) in _rows(con, FORGOTTEN_TEXT) for word in _words(text)}
    gone: list[int] = []
    for id, told, exchanges, left in _rows(con, STANDING):
        resting: list[int] = msgspec.json.decode(exchanges)
        lent = (_words(told) - _words(left or "")) & forgotten
        if not resting or lent:
            gone.append(id)
        elif _rests_on_chosen(con, id):
            con.execute(MOVE, {"record": id, "exchange": resting[0]})
        else:
            continue
        for exchange_id in resting:
            # Vectors of records are kept by the exchange of their first source, which may be another one now.
            dense.remove_vectors(con, "records", [exchange_id])
            tasks.add_task(con, exchange_id, "extract" if lent else "embed-record")
    records.delete_records(con, gone)
    return gone


def _rests_on_chosen(con: apsw.Connection, record_id: int) -> bool:
    sql = "select exists (select 1 from record_source where record_id = ? and message_id in (select * from chosen))"
    return bool(con.execute(sql, (record_id,)).get)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in words(text)}


@contextmanager
def trial(con: apsw.Connection, *, keep: bool) -> Iterator[None]:
    """Run a block of a transaction, and take back what it wrote unless that is to be kept."""
    con.execute("savepoint trial")
    yield
    if not keep:
        con.execute("rollback to trial")
    con.execute("release trial")


def delete_record(con: apsw.Connection, record_id: int, now: str) -> bool:
    """Delete one record and see that it is not made again; False when there is none of this id."""
    content = con.execute("select content from record where id = ?", (bounded(record_id),)).get
    if content is None:
        return False
    tombstones.bury(con, [tombstones.hash_record(tombstones.hasher(con), content)], now)
    for exchange_id in _column(con, "select distinct exchange_id from record_exchange where record_id = ?", record_id):
        dense.remove_vectors(con, "records", [exchange_id])
        tasks.add_task(con, exchange_id, "embed-record")
    records.delete_records(con, [record_id])
    return True


# -- reading --

COUNTS = """
select (select count(*) from conversation) as conversations, (select count(*) from message) as messages,
       (select count(*) from palace_object) as objects, (select count(*) from record) as records,
       (select count(*) from vector) as vectors, (select count(*) from tool_use) as tool_uses,
       (select count(*) from room) as rooms
"""
COUNTED = ("conversations", "messages", "objects", "records", "vectors", "tool_uses", "rooms")


def count(con: apsw.Connection) -> dict[str, int]:
    """Return how many rows of each kind there are."""
    return dict(zip(COUNTED, con.execute(COUNTS).get, strict=True))
