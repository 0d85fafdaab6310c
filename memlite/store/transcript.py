"""The verbatim layer: sources, conversations, messages and the exchanges they form. Messages are only ever added."""

import apsw
from msgspec import Struct

from memlite.store.connection import bounded
from memlite.types.transcript import Conversation, Message, Place, Span

# -- writing --

ADD_SOURCE = "insert into source (kind, path) values (?, ?) on conflict (kind, path) do nothing"
ADD_CONVERSATION = """
insert into conversation (source_id, kind, external_id, project, title, cwd, style, added_at)
values (?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_MESSAGE = """
insert into message (conversation_id, seq, ply, role, speaker, content, thinking, automated, said_at, utc_offset,
                     external_id, identity, added_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_TOOL_USE = "insert into tool_use (message_id, call_id, name, input, output, is_error) values (?, ?, ?, ?, ?, ?)"
ADD_EXCHANGE = """
insert into exchange (ply_end, seq_end, lead_seq, said_from, said_to, automated, chars, conversation_id, ply_start,
                      seq_start, part)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
GROW_EXCHANGE = """
update exchange
set ply_end = ?, seq_end = ?, lead_seq = ?, said_from = ?, said_to = ?, automated = ?, chars = ?
where conversation_id = ? and ply_start = ?
"""


def add_source(con: apsw.Connection, kind: str, path: str) -> int:
    """Return the id of a source, adding it when it is new."""
    con.execute(ADD_SOURCE, (kind, path))
    found: int = con.execute("select id from source where kind = ? and path = ?", (kind, path)).get
    return found


def add_conversation(con: apsw.Connection, source_id: int, kind: str, given: Conversation, now: str) -> int:
    """Add a conversation and return its id."""
    values = (source_id, kind, given.external_id, given.project, given.title, given.cwd, given.style, now)
    con.execute(ADD_CONVERSATION, values)
    return con.last_insert_rowid()


def set_title(con: apsw.Connection, conversation_id: int, title: str) -> None:
    """Give a conversation its title."""
    con.execute("update conversation set title = ? where id = ?", (title, conversation_id))


def add_message(
    con: apsw.Connection, conversation_id: int, place: Place, message: Message, identity: bytes, now: str
) -> int:
    """Add a message with its tool calls and return its id. Its identity must be new: see `find_message`."""
    con.execute(
        ADD_MESSAGE,
        (
            *(conversation_id, place.seq, place.ply, message.role, message.speaker, message.content, message.thinking),
            *(message.automated, message.said_at, message.utc_offset, message.external_id, identity, now),
        ),
    )
    message_id = con.last_insert_rowid()
    for use in message.tools:
        con.execute(ADD_TOOL_USE, (message_id, use.call_id, use.name, use.input, use.output, use.is_error))
    return message_id


def add_exchange(con: apsw.Connection, conversation_id: int, span: Span) -> int:
    """Add an exchange and return its id."""
    con.execute(ADD_EXCHANGE, (*_growing(span), conversation_id, span.ply_start, span.seq_start, span.part))
    return con.last_insert_rowid()


def grow_exchange(con: apsw.Connection, conversation_id: int, span: Span) -> None:
    """Let an exchange take in the messages that have followed it."""
    con.execute(GROW_EXCHANGE, (*_growing(span), conversation_id, span.ply_start))


def _growing(span: Span) -> tuple[int, int, int | None, str | None, str | None, str, int]:
    return span.ply_end, span.seq_end, span.lead_seq, span.said_from, span.said_to, span.automated, span.chars


# -- reading --

LAST_EXCHANGE = """
select id, ply_start, ply_end, seq_start, seq_end, part, lead_seq, said_from, said_to, automated, chars
from exchange where conversation_id = ? and seq_start >= ? order by seq_start
"""
# Read from the end of the index: max(ply) would read the whole conversation at every add.
NEXT_PLACE = """
select
    coalesce((select seq from message where conversation_id = :conversation order by seq desc limit 1) + 1, 0),
    coalesce((select ply from message where conversation_id = :conversation and ply is not null
              order by seq desc limit 1) + 1, 0)
"""
# The last exchange with all its parts: only it can still grow.
TAIL_START = """
select coalesce(max(seq_start), 0) from exchange where conversation_id = ? and part = 0
"""
PLACES = """
select seq, ply, role, said_at, automated, length(content) from message
where conversation_id = ? and seq >= ? order by seq
"""


class StoredSpan(Struct, frozen=True):
    """An exchange as it stands in the store."""

    id: int
    span: Span


def find_conversation(con: apsw.Connection, kind: str, external_id: str) -> tuple[int, str] | None:
    """Return a conversation's id and title, or None."""
    found: tuple[int, str] | None = con.execute(
        "select id, title from conversation where kind = ? and external_id = ?", (kind, external_id)
    ).get
    return found


def find_message(con: apsw.Connection, identity: bytes) -> tuple[int, str] | None:
    """Return the id and content of the message with this identity, or None."""
    found: tuple[int, str] | None = con.execute("select id, content from message where identity = ?", (identity,)).get
    return found


def has_exchange(con: apsw.Connection, exchange_id: int) -> bool:
    """Return whether the store has an exchange of this id."""
    return bool(con.execute("select exists (select 1 from exchange where id = ?)", (bounded(exchange_id),)).get)


def next_place(con: apsw.Connection, conversation_id: int) -> tuple[int, int]:
    """Return the seq and the ply the next message of a conversation takes."""
    row: tuple[int, int] = con.execute(NEXT_PLACE, {"conversation": conversation_id}).get
    return row


def first_speaker(con: apsw.Connection, conversation_id: int) -> str | None:
    """Return the name of whoever speaks first in a conversation, or None when nobody has spoken."""
    found: str | None = con.execute(
        "select speaker from message where conversation_id = ? and ply = 0 order by seq limit 1", (conversation_id,)
    ).get
    return found


def places_from(con: apsw.Connection, conversation_id: int, seq: int) -> list[Place]:
    """Return the places of a conversation's messages from `seq` on, in order."""
    return [Place(*row) for row in con.execute(PLACES, (conversation_id, seq))]


def open_tail(con: apsw.Connection, conversation_id: int) -> tuple[int, list[StoredSpan]]:
    """Return where the last exchange begins (a seq), and its stored parts: what new messages may still change."""
    start: int = con.execute(TAIL_START, (conversation_id,)).get
    rows = con.execute(LAST_EXCHANGE, (conversation_id, start))
    return start, [StoredSpan(id, Span(*span)) for id, *span in rows]
