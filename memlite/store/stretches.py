"""What an extractor reads: the messages of exchanges in order, and those before them that tell what they mean."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import apsw
from msgspec import Struct

from memlite.store.connection import id_list
from memlite.types.records import Heard
from memlite.types.transcript import Style

# -- reading --

STRETCHES = """
select exchange.id, exchange.conversation_id, style, seq_start, seq_end,
       message.id, ply, role, content, speaker, said_at, utc_offset
from exchange
join conversation on conversation.id = exchange.conversation_id
join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
where exchange.id in (select value from json_each(?))
  and exchange.automated = '' and ply is not null and message.automated = ''
order by exchange.conversation_id, seq
"""
BEFORE = """
select ply, role, content, speaker, said_at, utc_offset from message
where conversation_id = :conversation and seq < :seq and ply is not null and automated = ''
  and seq >= coalesce((
      select seq from message
      where conversation_id = :conversation and seq < :seq and ply is not null and automated = ''
        and (:style = 'peers' or role = 'user')
      order by seq desc limit 1 offset :count - 1
  ), 0)
order by seq
"""


class Spoken(NamedTuple):
    """A message and its id."""

    message_id: int
    heard: Heard


class Stretch(Struct, frozen=True):
    """The messages of one exchange."""

    exchange_id: int
    conversation_id: int
    style: Style
    seq_start: int
    seq_end: int
    messages: tuple[Spoken, ...]

    @property
    def counted(self) -> int:
        """How many messages count towards the size of a window."""
        return sum(self.style == "peers" or spoken.heard.role == "user" for spoken in self.messages)


def get_stretches(con: apsw.Connection, exchange_ids: Sequence[int]) -> list[Stretch]:
    """Return what people said in exchanges, conversation by conversation; what was automated is left out."""
    rows: list[tuple[Any, ...]] = con.execute(STRETCHES, (id_list(exchange_ids),)).fetchall()
    groups = groupby(rows, key=lambda row: row[:5])
    return [_stretch(place, [Spoken(row[5], Heard(*row[6:])) for row in said]) for place, said in groups]


def _stretch(place: tuple[Any, ...], said: Sequence[Spoken]) -> Stretch:
    return Stretch(place[0], place[1], place[2], place[3], place[4], tuple(said))


def get_before(con: apsw.Connection, stretch: Stretch, count: int) -> tuple[Heard, ...]:
    """Return the last `count` messages before a stretch that count, with all that was said between them."""
    if not count:
        return ()
    place = {"conversation": stretch.conversation_id, "seq": stretch.seq_start, "style": stretch.style, "count": count}
    return tuple(Heard(*row) for row in con.execute(BEFORE, place))
