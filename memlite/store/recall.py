"""Reading back what a search found: exchanges with their conversation, turns and text."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense, tasks
from memlite.store.connection import id_list
from memlite.types.palace import Exchange, Turn
from memlite.types.query import ConversationRef, Coverage, Standing
from memlite.types.report import MessageView
from memlite.types.transcript import Style, ToolUse

FOUND = """
select exchange.id, conversation.id, conversation.kind, conversation.external_id, project, title, ply_start, ply_end,
       said_from, cwd, style, exchange.automated
from exchange join conversation on conversation.id = exchange.conversation_id
where exchange.id in (select value from json_each(?))
"""
TURNS = """
select exchange_id, message_id, ply, role, speaker, content, said_at, external_id
from exchange_turn where exchange_id in (select value from json_each(?)) order by exchange_id, seq
"""
TOOLS = """
select exchange.id, tool_use.name, tool_use.call_id, tool_use.input, tool_use.output, tool_use.is_error
from exchange
join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
join tool_use on tool_use.message_id = message.id
where exchange.id in (select value from json_each(?)) order by exchange.id, tool_use.id
"""
TITLES = """
select exchange.id, title from exchange join conversation on conversation.id = exchange.conversation_id
where exchange.id in (select value from json_each(?))
"""
ASKED_BY_PEOPLE = "select id from exchange where automated = '' order by id"
HOLDERS = """
select external_id, exchange_id from exchange_turn where external_id in (select value from json_each(:ids))
union
select '#' || message_id, exchange_id from exchange_turn
where message_id in (select cast(substr(value, 2) as integer) from json_each(:ids) where value like '#%')
order by 1, 2
"""
STANDINGS = """
select id, conversation_id, ply_start, ply_end, chars, said_from from exchange
where id in (select value from json_each(?))
"""


class FoundExchange(Struct, frozen=True):
    """An exchange as it is read back, with everything but its object."""

    id: int
    conversation_id: int
    conversation: ConversationRef
    plies: tuple[int, int]
    said_at: str | None
    cwd: str
    style: Style
    automated: str
    messages: tuple[MessageView, ...]

    def exchange(self, tools: Sequence[ToolUse] = ()) -> Exchange:
        """What an engine is given of it."""
        turns = tuple(Turn(m.role, m.content, m.speaker, m.said_at) for m in self.messages)
        return Exchange(turns, tuple(tools), self.style, self.conversation.project, self.cwd)

    @property
    def text(self) -> str:
        """The whole exchange, `label: content` a turn."""
        return self.exchange().text


def list_exchanges(con: apsw.Connection) -> list[int]:
    """Return the ids of all exchanges that a person began, oldest row first."""
    return [id for (id,) in con.execute(ASKED_BY_PEOPLE)]


def find_holders(con: apsw.Connection, message_ids: Sequence[str]) -> list[tuple[str, int]]:
    """Return (message, exchange it lies in) of messages by the source's own ids, or `#12`, the store's."""
    return list(con.execute(HOLDERS, {"ids": msgspec.json.encode(list(message_ids)).decode()}))


def get_exchanges(con: apsw.Connection, ids: Sequence[int]) -> dict[int, FoundExchange]:
    """Return exchanges by id; ids the store does not hold are left out."""
    wanted = id_list(ids)
    messages: dict[int, list[MessageView]] = {}
    for exchange_id, message_id, ply, role, speaker, content, said_at, external_id in con.execute(TURNS, (wanted,)):
        view = MessageView(message_id, ply, role, speaker, said_at, content, external_id)
        messages.setdefault(exchange_id, []).append(view)
    return {row[0]: _found(row, messages.get(row[0], [])) for row in con.execute(FOUND, (wanted,))}


def _found(row: tuple[Any, ...], messages: list[MessageView]) -> FoundExchange:
    id, conversation_id, kind, external_id, project, title, first, last, said_at, cwd, style, automated = row
    where = ConversationRef(kind, external_id, project, title)
    return FoundExchange(id, conversation_id, where, (first, last), said_at, cwd, style, automated, tuple(messages))


def get_tools(con: apsw.Connection, ids: Sequence[int]) -> dict[int, list[ToolUse]]:
    """Return the tool calls of exchanges, by exchange id; those without any are left out."""
    tools: dict[int, list[ToolUse]] = {}
    for exchange_id, name, call_id, given, output, is_error in con.execute(TOOLS, (id_list(ids),)):
        tools.setdefault(exchange_id, []).append(ToolUse(name, call_id, given, output, bool(is_error)))
    return tools


def get_titles(con: apsw.Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the titles of the conversations that exchanges belong to, by exchange id."""
    rows = con.execute(TITLES, (id_list(ids),))
    return {id: title for id, title in rows}


def get_standings(con: apsw.Connection, ids: Sequence[int]) -> dict[int, Standing]:
    """Return where exchanges stand in their conversations, by id."""
    return {id: Standing(*place) for id, *place in con.execute(STANDINGS, (id_list(ids),))}


# Counting 100,000 objects takes 13 ms, as much as the keyword route; most searches find the store as the last one did.
_coverage: WeakKeyDictionary[apsw.Connection, tuple[tuple[int, int], Coverage]] = WeakKeyDictionary()


def get_coverage(con: apsw.Connection) -> Coverage:
    """Return how much of the store each layer covers; counted again when this or another connection has written."""
    state = (con.pragma("data_version"), con.total_changes())
    known = _coverage.get(con)
    if known is None or known[0] != state:
        exchanges: int = con.execute("select count(*) from exchange").get
        distilled: int = con.execute("select count(*) from palace_object").get
        embedded = dense.count_vectors(con, "distilled")
        known = _coverage[con] = (state, Coverage(exchanges, distilled, embedded, tasks.count_waiting(con)))
    return known[1]
