"""Which records may speak of the same, what was decided about them, and since when and until when each of them holds.

Candidates come from an index of traits, so a run costs what the records share, not the square of how many there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import apsw
import msgspec

from memlite.store import dense
from memlite.store.connection import id_list
from memlite.types.records import Record

MOST = 200
"""Records that may share a word before it tells too little to look for others by; it still counts in the overlap."""

# -- what waits --

NEXT = "select record_id from update_queue order by record_id limit ?"
QUEUE_ALL = "insert or ignore into update_queue (record_id) select id from record"
QUEUED = "select record_id from update_queue where record_id in (select value from json_each(?))"
IS_QUEUED = "select exists (select 1 from update_queue)"


def count_waiting(con: apsw.Connection) -> int:
    """Return how many records are to be compared."""
    found: int = con.execute("select count(*) from update_queue").get
    return found


def next_waiting(con: apsw.Connection, count: int) -> list[int]:
    """Return the ids of the next records that are to be compared."""
    return [id for (id,) in con.execute(NEXT, (count,))]


def still_waiting(con: apsw.Connection, ids: Iterable[int]) -> set[int]:
    """Return those of these records that no other process has compared meanwhile."""
    return {id for (id,) in con.execute(QUEUED, (id_list(ids),))}


def queue_all(con: apsw.Connection, now: str) -> bool:
    """Ask for every record to be compared, unless a run that asked for that is unfinished; say whether it is new."""
    if con.execute("select exists (select 1 from update_run)").get:
        return False
    con.execute("insert into update_run (id, started_at) values (1, ?)", (now,))
    con.execute(QUEUE_ALL)
    return True


def end_run(con: apsw.Connection) -> None:
    """Note that a run over the whole store has come to its end, if it has."""
    if not con.execute(IS_QUEUED).get:
        con.execute("delete from update_run")


def take_out(con: apsw.Connection, ids: Iterable[int]) -> None:
    """Note that records have been compared."""
    con.executemany("delete from update_queue where record_id = ?", ((id,) for id in ids))


def queue(con: apsw.Connection, ids: Iterable[int]) -> None:
    """Ask for records to be compared."""
    con.executemany("insert or ignore into update_queue (record_id) values (?)", ((id,) for id in ids))


# A dry run works on shadows: tables of the same names that only this connection sees and SQLite looks at first. So it
# is the same code that runs, and nothing it does reaches the file.
SHADOWED = ("validity", "decision", "record_trait", "update_queue", "update_run")
SHADOW_INDEXES = (
    "create index temp.shadow_trait on record_trait (kind, trait)",
    "create unique index temp.shadow_trait_of on record_trait (record_id, kind, trait)",
    "create unique index temp.shadow_queue on update_queue (record_id)",
    "create unique index temp.shadow_validity on validity (record_id)",
    "create unique index temp.shadow_decision on decision (old_id, new_id)",
    "create index temp.shadow_decision_new on decision (new_id)",
)


def shadow(con: apsw.Connection) -> None:
    """Let this connection work on copies of what an update writes."""
    for table in SHADOWED:
        con.execute(f"create temp table {table} as select * from main.{table}")
    for statement in SHADOW_INDEXES:
        con.execute(statement)


def unshadow(con: apsw.Connection) -> None:
    """Drop the copies."""
    for table in SHADOWED:
        con.execute(f"drop table if exists temp.{table}")


# -- records as they are compared --

STORED = """
select record.id, record.content, record.type, record.speaker, record.said_at, time_start, time_end, location, reason,
       purpose, keywords, conversation.project, conversation.kind || '/' || conversation.external_id, message.seq,
       record_source.span_start, message.added_at
from json_each(?) as wanted
cross join record on record.id = wanted.value
join conversation on conversation.id = record.conversation_id
join record_source on record_source.record_id = record.id and message_id = (
    select min(message_id) from record_source as first where first.record_id = record.id
)
join message on message.id = message_id
group by record.id
"""
_KEYWORDS = msgspec.json.Decoder(tuple[str, ...])


class Stored(NamedTuple):
    """A record, where it belongs, and where it was said."""

    record: Record
    project: str
    conversation: str
    seq: int
    start: int
    added_at: str


def get_stored(con: apsw.Connection, ids: Iterable[int]) -> dict[int, Stored]:
    """Return records by id."""
    return {row[0]: _stored(row) for row in con.execute(STORED, (id_list(ids),))}


def _stored(row: tuple[Any, ...]) -> Stored:
    _, content, type, speaker, said_at, first, last, location, reason, purpose, keywords, *place = row
    record = Record(
        content=content,
        type=type,
        ply=0,
        start=place[3],
        end=place[3] + 1,
        speaker=speaker,
        said_at=said_at,
        time_start=first,
        time_end=last,
        location=location,
        reason=reason,
        purpose=purpose,
        keywords=_KEYWORDS.decode(keywords),
    )
    return Stored(record, *place)


# -- candidates --

ADD_TRAIT = "insert or ignore into record_trait (record_id, kind, trait) values (?, ?, ?)"
# Of two records that both wait, the later one is compared with the earlier one, so that a pair is looked at once.
CANDIDATES = """
with
mine (id, kind, trait) as (
    select record_id, kind, trait from json_each(:ids) cross join record_trait on record_id = value
),
sought as (
    select * from mine where kind <> 'word' or :most >= (
        select count(*) from (
            select 1 from record_trait as held where held.kind = 'word' and held.trait = mine.trait limit :most + 1
        )
    )
),
near (id, other, proven) as (
    select sought.id, held.record_id, max(sought.kind <> 'word')
    from sought cross join record_trait as held on held.kind = sought.kind and held.trait = sought.trait
    where held.record_id <> sought.id
    and (held.record_id < sought.id or held.record_id not in (select record_id from update_queue))
    group by sought.id, held.record_id
)
select id, other, proven,
    (select count(*) from record_trait as own cross join record_trait as held
        on held.record_id = other and held.kind = 'word' and held.trait = own.trait
        where own.record_id = near.id and own.kind = 'word') as shared,
    (select count(*) from record_trait as own where own.record_id = near.id and own.kind = 'word') as size,
    (select count(*) from record_trait as held where held.record_id = other and held.kind = 'word') as other_size
from near
"""


class Candidate(NamedTuple):
    """A pair of records that share a trait."""

    id: int
    other: int
    proven: bool
    """Whether they share more than words: what they give a value to, or their text."""
    overlap: float
    """Jaccard of their keywords' words."""


def replace_traits(con: apsw.Connection, traits: Mapping[int, Iterable[tuple[str, str]]]) -> None:
    """Store the traits (kind, trait) of records in place of earlier ones."""
    con.executemany("delete from record_trait where record_id = ?", ((id,) for id in traits))
    con.executemany(ADD_TRAIT, ((id, kind, trait) for id, found in traits.items() for kind, trait in found))


def find_candidates(con: apsw.Connection, ids: Sequence[int]) -> list[Candidate]:
    """Return the pairs of these records and others that share a trait which few have."""
    rows = con.execute(CANDIDATES, {"ids": id_list(ids), "most": MOST})
    return [
        Candidate(id, other, bool(proven), shared / (size + other_size - shared) if shared else 0.0)
        for id, other, proven, shared, size, other_size in rows
    ]


VECTORS = """
select part, embedding from json_each(?) as wanted
cross join record_exchange on record_exchange.record_id = wanted.value
join vector on layer = 'records' and vector.exchange_id = record_exchange.exchange_id and part = wanted.value
group by part
"""


def get_vectors(con: apsw.Connection, ids: Iterable[int]) -> dict[int, bytes]:
    """Return the vectors of records that the store has, a signed byte a dimension."""
    if not dense.has_index(con, "records"):
        return {}
    return dict(con.execute(VECTORS, (id_list(ids),)))


# -- decisions --

OF_PAIRS = """
select old_id, new_id, kind, reason, keywords, cosine from decision
where reverted_at is null and kind <> 'keep'
and (old_id in (select value from json_each(:ids)) or new_id in (select value from json_each(:ids)))
"""
REVERTED = """
select old_id, new_id from decision where reverted_at is not null
and (old_id in (select value from json_each(:ids)) or new_id in (select value from json_each(:ids)))
"""
# Of the pairs that are looked at again, as CANDIDATES says.
STALE = """
with again (id) as (select value from json_each(:ids))
select old_id, new_id from again join decision on old_id = id
where reverted_at is null and (new_id < id or new_id not in (select record_id from update_queue))
union
select old_id, new_id from again join decision on new_id = id
where reverted_at is null and (old_id < id or old_id not in (select record_id from update_queue))
"""
FORGET = "delete from decision where old_id = ? and new_id = ?"
ADD_DECISION = """
insert into decision (old_id, new_id, kind, reason, keywords, cosine, engine, version, decided_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
"""


class Decided(NamedTuple):
    """What was decided about an earlier and a later record."""

    old_id: int
    new_id: int
    kind: str
    reason: str
    keywords: float
    cosine: float | None


def get_stale(con: apsw.Connection, ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return the pairs that were decided before and are looked at again with these records."""
    return list(con.execute(STALE, {"ids": id_list(ids)}))


def replace_decisions(
    con: apsw.Connection, stale: Iterable[tuple[int, int]], made: Iterable[Decided], version: str, now: str
) -> None:
    """Store what rules decided, in place of what they decided before. What somebody has reverted stays reverted."""
    con.executemany(FORGET, stale)
    con.executemany(ADD_DECISION, ((*one, "rules", version, now) for one in made))


def get_closing(con: apsw.Connection, ids: Iterable[int]) -> list[Decided]:
    """Return the decisions in force that close a record, of all chains that these records are in."""
    found: dict[tuple[int, int], Decided] = {}
    seen: set[int] = set()
    waiting = set(ids)
    while waiting:
        rows = [Decided(*row) for row in con.execute(OF_PAIRS, {"ids": id_list(waiting)})]
        seen |= waiting
        found |= {(one.old_id, one.new_id): one for one in rows}
        waiting = {id for one in rows for id in (one.old_id, one.new_id)} - seen
    return list(found.values())


def get_reverted(con: apsw.Connection, ids: Iterable[int]) -> set[tuple[int, int]]:
    """Return the pairs of these records about which somebody has reverted the decision."""
    return set(con.execute(REVERTED, {"ids": id_list(ids)}))


REVERT = "update decision set reverted_at = ? where old_id = ? and new_id = ?"


def revert(con: apsw.Connection, pairs: Iterable[tuple[int, int]], now: str) -> None:
    """Note that decisions count no longer."""
    con.executemany(REVERT, ((now, old_id, new_id) for old_id, new_id in pairs))


# -- what follows from them --

SET_VALIDITY = """
insert into validity (record_id, valid_from, valid_to, closed_by, closed_how) values (?, ?, ?, ?, ?)
on conflict (record_id) do update set
    (valid_from, valid_to, closed_by, closed_how)
    = (excluded.valid_from, excluded.valid_to, excluded.closed_by, excluded.closed_how)
"""
STATES = "select id, state from record where id in (select value from json_each(?))"
SET_STATE = "update record set state = ? where id = ?"

Row = tuple[int, str | None, str | None, int | None, str | None]
"""A record's id, since when and until when it holds, what closed it, and how."""


def set_validity(con: apsw.Connection, rows: Sequence[Row], *, dry_run: bool = False) -> tuple[int, int]:
    """Store since when and until when records hold; return how many are active no longer, and how many again."""
    con.executemany(SET_VALIDITY, rows)
    before = dict(con.execute(STATES, (id_list(row[0] for row in rows),)))
    after = {row[0]: "active" if row[4] is None else "superseded" for row in rows}
    changed = [(state, id) for id, state in after.items() if before.get(id, state) != state]
    if not dry_run:
        con.executemany(SET_STATE, changed)
    closed = sum(state == "superseded" for state, _ in changed)
    return closed, len(changed) - closed
