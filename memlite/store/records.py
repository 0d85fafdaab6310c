"""Dimensional records: written with their sources and keywords, found by any of their dimensions.

A record belongs to the exchange that holds its first source. Whatever changes an exchange takes its records out whole,
so none is ever left that rests on what is no longer there.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, get_args

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense, lexical, tasks
from memlite.store.connection import id_list
from memlite.text import words
from memlite.text.days import first_day, last_day
from memlite.text.slug import stem
from memlite.types.records import Record, RecordEngine, RecordOrder, RecordState, RecordType, RecordView

# -- writing --

ADD_RECORD = """
insert into record (conversation_id, type, content, time_start, time_end, time_from, time_until, location, reason,
                    purpose, keywords, speaker, said_at, confidence, engine, model, version, created_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ADD_SOURCE = "insert into record_source (record_id, message_id, span_start, span_end) values (?, ?, ?, ?)"
ADD_KEYWORD = "insert into record_keyword (record_id, keyword) values (?, ?)"
IDS_OF_EXCHANGES = """
select distinct record_id from exchange
join message on message.conversation_id = exchange.conversation_id and seq between seq_start and seq_end
join record_source on record_source.message_id = message.id
where exchange.id in (select value from json_each(?))
"""

# That an exchange states nothing is not written down. So where older rules made any record of the scope, every exchange
# of it is read again that has no record of these rules; when all are, no older record is left. What a model read beside
# the rules is left alone unless models are to read it again too.
ASK_TO_EXTRACT_AGAIN = f"""
insert into task (exchange_id, kind, state)
select id as exchange_id, 'extract', 'pending' from exchange
where automated = '' and {tasks.OF_PROJECT}
and id not in (
    select exchange_id from record_exchange join record on record.id = record_id
    where (engine, model, version) = (:engine, :model, :version)
)
and (:models or id not in (select exchange_id from model_reading))
and exists (
    select 1 from record_exchange join record on record.id = record_id
    where (engine, model, version) <> (:engine, :model, :version) and engine = 'extractive' and {tasks.OF_PROJECT}
    and (:models or exchange_id not in (select exchange_id from model_reading))
)
on conflict do nothing
"""


class Maker(Struct, frozen=True):
    """What made a record: the engine, the digest of its model or "", the version of its rules or prompt."""

    engine: RecordEngine
    model: str
    version: str


class Sourced(NamedTuple):
    """A record and the message it was made from."""

    record: Record
    message_id: int


def replace_records(
    con: apsw.Connection, exchange_id: int, conversation_id: int, made: Sequence[Sourced], maker: Maker, now: str
) -> None:
    """Store what an exchange states, findable by keyword, in place of what it was found to state before."""
    remove_records(con, [exchange_id])
    how = (*msgspec.structs.astuple(maker), now)
    lexical.index(con, "fts_record", [_add(con, conversation_id, one, how) for one in made])
    if made:
        tasks.add_task(con, exchange_id, "embed-record")


def join_records(
    con: apsw.Connection,
    exchange_id: int,
    conversation_id: int,
    gone: Sequence[int],
    made: Sequence[Sourced],
    maker: Maker,
    now: str,
) -> None:
    """Store more of what an exchange states, in place of some of its records."""
    if not made:
        return
    delete_records(con, gone)
    how = (*msgspec.structs.astuple(maker), now)
    lexical.index(con, "fts_record", [_add(con, conversation_id, one, how) for one in made])
    dense.remove_vectors(con, "records", [exchange_id])
    tasks.add_task(con, exchange_id, "embed-record")


def _add(con: apsw.Connection, conversation_id: int, one: Sourced, how: tuple[str, ...]) -> int:
    record, message_id = one
    said = (record.time_start, record.time_end)
    days = (said[0] and first_day(said[0]), said[1] and last_day(said[1]))
    text = (record.location, record.reason, record.purpose, msgspec.json.encode(record.keywords).decode())
    origin = (record.speaker, record.said_at, float(record.confidence))
    con.execute(ADD_RECORD, (conversation_id, record.type, record.content, *said, *days, *text, *origin, *how))
    record_id = con.last_insert_rowid()
    con.execute(ADD_SOURCE, (record_id, message_id, record.start, record.end))
    con.executemany(ADD_KEYWORD, ((record_id, keyword) for keyword in folded_words(record.keywords)))
    return record_id


def ask_to_extract_again(con: apsw.Connection, maker: Maker, project: str, *, models: bool = False) -> None:
    """Ask for the records that rules of another version made; each stays until its successors are there.

    With `models` also where a model has read beside them; what it added goes, and is to be asked for again.
    """
    con.execute(ASK_TO_EXTRACT_AGAIN, {**msgspec.structs.asdict(maker), "project": project, "models": models})


def folded_words(keywords: Iterable[str]) -> list[str]:
    """Return the words of keywords with case and plural folded, each once."""
    return list(dict.fromkeys(stem(word) for keyword in keywords for word in words.words(keyword)))


def remove_records(con: apsw.Connection, exchange_ids: Sequence[int]) -> None:
    """Take out the records that rest on messages of these exchanges, with their vectors and what models read there."""
    found: list[Any] = con.execute(IDS_OF_EXCHANGES, (id_list(exchange_ids),)).fetchall()
    delete_records(con, [id for (id,) in found])
    dense.remove_vectors(con, "records", exchange_ids)
    for exchange_id in exchange_ids:
        con.execute("delete from model_reading where exchange_id = ?", (exchange_id,))
        tasks.withdraw(con, exchange_id, "upgrade-record")
        tasks.withdraw(con, exchange_id, "embed-record")


def delete_records(con: apsw.Connection, ids: Sequence[int]) -> None:
    """Delete records with their keywords and sources, their vectors apart."""
    lexical.unindex(con, "fts_record", ids)
    con.executemany("delete from record where id = ?", ((id,) for id in ids))


# -- reading --

# From a record to the message it was first made from, and the exchange that is in; for `from record`.
ITS_EXCHANGE = """
join conversation on conversation.id = record.conversation_id
join message on message.id = (select min(message_id) from record_source where record_id = record.id)
join exchange on exchange.id = (
    select earlier.id from exchange as earlier
    where earlier.conversation_id = message.conversation_id and earlier.ply_start <= message.ply
    order by ply_start desc limit 1
)
"""
VIEW = f"""
select record.id, record.content, type, time_start, time_end, location, reason, purpose, keywords, record.speaker,
       record.said_at, message.id, exchange.id, state, confidence, engine, valid_from, valid_to, closed_by, closed_how
from record
left join validity on validity.record_id = record.id
{ITS_EXCHANGE}"""
# What happened between two days overlaps them; an open end is open. A record of no time is in no span of time.
PASSES = """
    (:type = '' or type = :type)
    and (not :active or state = 'active' or :as_of <> '')
    and (:as_of = '' or (
        coalesce(closed_how, '') <> 'merge' and coalesce(valid_from, record.said_at, '') <= :as_of
        and (valid_to is null or valid_to > :as_of)
    ))
    and (:since = '' or coalesce(time_until >= :since, time_from is not null))
    and (:until = '' or coalesce(time_from <= :until, time_until is not null))
    and (:speaker = '' or record.speaker = :speaker)
    and (:project = '' or conversation.project = :project or conversation.cwd = :project)
    and (:conversation = '' or conversation.external_id = :conversation)
    and (:keywords = '[]' or record.id in (
        select record_id from record_keyword where keyword in (select value from json_each(:keywords))
        group by record_id having count(*) = json_array_length(:keywords)
    ))
    and (:where = '' or instr(folded(location), :where) > 0)
    and (:match = '' or record.id in (select rowid from fts_record where fts_record match :match))
"""
ORDERS: dict[RecordOrder, str] = {
    "newest": "record.said_at is null, record.said_at desc, record.id desc",
    "oldest": "record.said_at is null, record.said_at, record.id",
    "time": "coalesce(time_from, time_until) is null, coalesce(time_from, time_until), record.id",
}
FIND = {order: f"{VIEW} where {PASSES} order by {terms} limit :limit offset :offset" for order, terms in ORDERS.items()}
BY_ID = f"{VIEW} where record.id in (select value from json_each(?)) order by record.id"
OF_EXCHANGES = f"{VIEW} where record.id in ({IDS_OF_EXCHANGES}) order by message.seq, record.id"
CONTENTS = f"""
select exchange_id, record.id, content from record_exchange join record on record.id = record_id
where record.id in ({IDS_OF_EXCHANGES}) order by exchange_id, record.id
"""
_KEYWORDS = msgspec.json.Decoder(tuple[str, ...])


class RecordFilters(Struct, frozen=True):
    """What a record must be. An empty field is no filter."""

    type: str = ""
    active: bool = True
    as_of: str = ""
    """A UTC instant: only what held then, whether or not it still does."""
    since: str = ""
    """A day, included, as `until` is."""
    until: str = ""
    where: str = ""
    """A part of the location, case folded."""
    keywords: tuple[str, ...] = ()
    """As `folded_words` gives them; all must be the record's."""
    speaker: str = ""
    match: str = ""
    """A MATCH expression over content, reason, purpose and keywords."""
    project: str = ""
    conversation: str = ""

    @property
    def parameters(self) -> dict[str, str | bool]:
        """The values of PASSES."""
        return {**msgspec.structs.asdict(self), "keywords": msgspec.json.encode(self.keywords).decode()}


def find_records(
    con: apsw.Connection, filters: RecordFilters, order: RecordOrder, limit: int | None, offset: int
) -> tuple[RecordView, ...]:
    """Return the records that pass the filters, in order."""
    # For SQLite a negative limit is none.
    page = {"limit": -1 if limit is None else limit, "offset": offset}
    return tuple(map(_view, con.execute(FIND[order], {**filters.parameters, **page})))


def get_records(con: apsw.Connection, ids: Iterable[int]) -> dict[int, RecordView]:
    """Return records by id; ids the store does not hold are left out."""
    return {row[0]: _view(row) for row in con.execute(BY_ID, (id_list(ids),))}


def get_by_exchange(con: apsw.Connection, exchange_ids: Iterable[int]) -> dict[int, tuple[RecordView, ...]]:
    """Return the records of exchanges in the order of what was said, by exchange id; those without any are left out."""
    found: dict[int, tuple[RecordView, ...]] = {}
    for view in map(_view, con.execute(OF_EXCHANGES, (id_list(exchange_ids),))):
        found[view.exchange_id] = (*found.get(view.exchange_id, ()), view)
    return found


def _view(row: tuple[Any, ...]) -> RecordView:
    values: Any = (*row[:8], _KEYWORDS.decode(row[8]), *row[9:])
    return RecordView(*values)


def get_contents(con: apsw.Connection, exchange_ids: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return the content of each record of these exchanges: exchange id -> record id -> content."""
    found: dict[int, dict[int, str]] = {}
    for exchange_id, record_id, content in con.execute(CONTENTS, (id_list(exchange_ids),)):
        found.setdefault(exchange_id, {})[record_id] = content
    return found


def count_states(con: apsw.Connection) -> dict[str, int]:
    """Return the number of records by state."""
    found = dict(con.execute("select state, count(*) from record group by state"))
    return {state: found.get(state, 0) for state in get_args(RecordState)}


def count_types(con: apsw.Connection) -> dict[str, int]:
    """Return the number of active records by type."""
    found = dict(con.execute("select type, count(*) from record where state = 'active' group by type"))
    return {type: found.get(type, 0) for type in get_args(RecordType)}
