"""What became of records: the decisions about each, and for searches, which came after which."""

from collections.abc import Iterable
from typing import NamedTuple

import apsw

from memlite.store.connection import bounded, id_list
from memlite.types.update import Step

STEPS = """
select kind, old_id, new_id, old.content, new.content, decision.reason, decision.keywords, cosine, decision.engine,
       decided_at, reverted_at
from decision join record as old on old.id = old_id join record as new on new.id = new_id
where old_id in (select value from json_each(:ids)) or new_id in (select value from json_each(:ids))
order by new.said_at is null, new.said_at, old.said_at, old_id, new_id
"""
VALIDITY = """
select content, state, valid_from, valid_to, closed_by, closed_how
from record left join validity on record_id = record.id where record.id = ?
"""
MERGED = """
with recursive merged (id) as (
    select :id
    union
    select record_id from validity join merged on closed_by = merged.id where closed_how = 'merge'
)
select id from merged
"""
Held = tuple[str, str, str | None, str | None, int | None, str | None]
SOURCES = """
select distinct message_id from record_source where record_id in (select value from json_each(?)) order by message_id
"""


def get_validity(con: apsw.Connection, id: int) -> Held | None:
    """Return the content of a record, its state, its interval, what closed it and how; None where there is none."""
    found: Held | None = con.execute(VALIDITY, (bounded(id),)).get
    return found


def get_merged(con: apsw.Connection, id: int) -> list[int]:
    """Return a record and those merged into it."""
    return [found for (found,) in con.execute(MERGED, {"id": id})]


def get_steps(con: apsw.Connection, ids: Iterable[int]) -> tuple[Step, ...]:
    """Return every decision about these records, in the order of what was said."""
    return tuple(Step(*row) for row in con.execute(STEPS, {"ids": id_list(ids)}))


def get_sources(con: apsw.Connection, ids: Iterable[int]) -> tuple[int, ...]:
    """Return the messages that records rest on."""
    return tuple(id for (id,) in con.execute(SOURCES, (id_list(ids),)))


# -- for searches --

SUCCESSIONS = """
with shown (record_id) as (
    select record_source.record_id from json_each(:ids) as wanted
    cross join exchange on exchange.id = wanted.value
    join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
    join record_source on record_source.message_id = message.id
),
links (old_id, new_id, valid_from, valid_to) as (
    select validity.record_id, closed_by, valid_from, valid_to from shown
    cross join validity on validity.record_id = shown.record_id
    where closed_how in ('supersede', 'retract') and closed_by is not null
    union
    select validity.record_id, closed_by, valid_from, valid_to from shown
    cross join validity on closed_by = shown.record_id
    where closed_how in ('supersede', 'retract')
)
select old_id, old.exchange_id, new.exchange_id, valid_from, valid_to from links
join record_exchange as old on old.record_id = old_id
join record_exchange as new on new.record_id = new_id
group by old_id order by valid_to, old_id
"""


class Succession(NamedTuple):
    """A record that another took the place of, and the exchanges they belong to."""

    record_id: int
    old: int
    new: int
    valid_from: str | None
    valid_to: str | None

    def held_at(self, instant: str) -> bool:
        """Say whether it held at an instant (UTC); what nobody dates is taken to have held."""
        return (self.valid_from or "") <= instant and (self.valid_to is None or instant < self.valid_to)


def get_successions(con: apsw.Connection, exchange_ids: Iterable[int]) -> list[Succession]:
    """Return the records of these exchanges that were superseded or ended, and those that they put an end to."""
    return [Succession(*row) for row in con.execute(SUCCESSIONS, {"ids": id_list(exchange_ids)})]
