"""Finding records by their words, their meaning and their dimensions, each with the exchange it leads to.

Whether a record passes the filters is asked of the best ones first and only until enough exchanges are found. No score
depends on a filter, so this gives what filtering before ranking gives, and a common word costs a look-up for each
record that is needed instead of each that has it. Only the vectors cannot do so: their index gives the nearest few, so
it is told beforehand which may be among them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

import apsw
import msgspec
from msgspec import Struct

from memlite.store import dense
from memlite.store.connection import id_list
from memlite.store.lexical import ALLOWED, PASSES, Scope
from memlite.store.records import ITS_EXCHANGE
from memlite.types.query import AnswerDim
from memlite.types.records import RecordType

Part = Literal["time", "location", "phrase", "token", "type", "speaker", "answer"]
"""What a record can agree in with what is wanted, each from 0 to 1."""
PARTS: tuple[Part, ...] = get_args(Part)
BATCH = 256

# A record that another says again still leads to its exchange; one that is over does not (see retrieve/standing).
STANDS = "record.id not in (select record_id from validity where closed_how in ('supersede', 'retract'))"
# FTS5 gives a word that most records have an idf of nearly 0, where DimMem's formula stays above it; in a sum over the
# words of a question that changes nothing. All columns count alike: keywords at half or at twice find the same.
BY_WORDS = """
select rowid, -bm25(fts_record) as score from fts_record
where fts_record match :match
and rowid not in (select record_id from validity where closed_how in ('supersede', 'retract'))
order by score desc, rowid
"""
ALLOWED_RECORD = f"""
{STANDS} and (:type = '' or record.type = :type) and (:speaker = '' or record.speaker = :speaker)
"""
PLACES = f"""
select record.id, exchange.id from json_each(:ids) as wanted
cross join record on record.id = wanted.value
{ITS_EXCHANGE}where {{passes}}
"""
PLACES_IN_SCOPE = PLACES.format(passes=f"{ALLOWED_RECORD} and {PASSES}")
# Without a narrow scope: 0.9 ms for 400 records, not 1.7.
PLACES_ANYWHERE = PLACES.format(passes=f"{STANDS} and exchange.automated = ''")
NEAREST = dense.NEAREST["records"]
NEAREST_IN_SCOPE = f"""
{NEAREST} and id in (
    select vector.id from vector join record on record.id = part
    where layer = 'records' and {ALLOWED_RECORD} and exchange_id in ({ALLOWED})
)
"""
SIMILAR = """
select part, exchange_id, 1 - vec_distance_cosine(vec_int8(embedding), vec_int8(:vector)) as cosine
from vector join record on record.id = part
where layer = 'records' and {allowed} and {which}
order by cosine desc, part
"""
SIMILAR_OF_VECTORS, SIMILAR_OF_EXCHANGES = (
    SIMILAR.format(allowed=ALLOWED_RECORD, which=f"{key} in (select value from json_each(:ids))")
    for key in ("vector.id", "exchange_id")
)

# What happened overlaps the days wanted, an open end being open. Of a record that knows no time, when it was said is a
# hint; of one that does it is none: what is told in 2025 of 2020 did not happen after 2024.
# `:first` and `:last` of an open side are before and after every day.
BY_DIMENSIONS = f"""
with
wanted (number, size, stem) as (select value ->> 0, value ->> 1, value ->> 2 from json_each(:keywords)),
span (first, last) as (select value ->> 0, value ->> 1 from json_each(:times)),
agreeing (id, times, places, phrases, tokens) as (
    select record_id, 0, 0, had = size, had from (
        select record_id, size, count(*) as had from wanted cross join record_keyword on keyword = stem
        group by record_id, number
    )
    union all
    select fts_record.rowid, 0, 1, 0, 0 from json_each(:locations) as place
    cross join fts_record on fts_record match place.value
    union all
    select id, 1, 0, 0, 0 from span cross join record
    where time_from <= last and (time_until >= first or time_until is null)
    union all
    select id, 1, 0, 0, 0 from span cross join record where time_from is null and time_until >= first
    union all
    select id, :mentioned, 0, 0, 0 from span cross join record
    where said_at >= first and substr(said_at, 1, 10) <= last and time_from is null and time_until is null
    union all
    select id, 0, 0, 0, 0 from record
    where :by_speaker and speaker collate nocase in (select value from json_each(:speakers))
),
agreement as (
    select
        record.id,
        1.0 * sum(times) / max(1, json_array_length(:times)) as time,
        1.0 * sum(places) / max(1, json_array_length(:locations)) as location,
        1.0 * sum(phrases) / max(1, :phrases) as phrase,
        1.0 * sum(tokens) / max(1, json_array_length(:keywords)) as token,
        type in (select value from json_each(:types)) as type,
        speaker collate nocase in (select value from json_each(:speakers)) as speaker,
        case :answer when 'time' then time_from is not null or time_until is not null
            when 'location' then location <> '' when 'reason' then reason <> '' when 'purpose' then purpose <> ''
            else 0 end as answer
    from agreeing join record on record.id = agreeing.id
    where {STANDS}
    group by record.id
)
select id, :w_time * time + :w_location * location + :w_phrase * phrase + :w_token * token + :w_type * type
           + :w_speaker * speaker + :w_answer * answer as score,
       time, location, phrase, token, type, speaker, answer
from agreement where score > 0 order by score desc, id
"""
SPEAKERS = """
select value from json_each(?) where exists (select 1 from record where speaker = value collate nocase)
"""
MENTIONED = 0.5
"""What it is worth that a record of no known time was said in the time wanted."""
FIRST_DAY, LAST_DAY = "0000-01-01", "9999-12-31"


Agreeing = tuple[int, float, Mapping[str, float]]
"""A record, its score, and what it agrees in."""


class Match(NamedTuple):
    """A record found, and the exchange it leads to."""

    record_id: int
    exchange_id: int
    score: float
    parts: Mapping[str, float] = {}
    """What it agreed in, where the route looks at several things."""


class Wanted(Struct, frozen=True):
    """The dimensions a question constrains. An empty field constrains nothing."""

    times: tuple[tuple[str, str], ...] = ()
    """Days, both included, "" on an open side."""
    locations: tuple[str, ...] = ()
    """MATCH expressions."""
    keywords: tuple[tuple[str, ...], ...] = ()
    """The folded words of each keyword."""
    speakers: tuple[str, ...] = ()
    types: tuple[RecordType, ...] = ()
    answer: AnswerDim = "content"
    """What the question asks for: a record that can tell it is worth more."""


def find_by_words(con: apsw.Connection, match: str, depth: int, scope: Scope) -> list[Match]:
    """Return the records whose words fit a MATCH expression best, best first, of at most `depth` exchanges."""
    found: Iterator[Agreeing] = ((id, score, {}) for id, score in con.execute(BY_WORDS, {"match": match}))
    return _in_exchanges(con, found, depth, scope)


def find_by_dimensions(
    con: apsw.Connection, wanted: Wanted, weights: Mapping[Part, float], depth: int, scope: Scope
) -> list[Match]:
    """Return the records that agree most with what is wanted, best first, of at most `depth` exchanges.

    A record that agrees in neither time, place, word nor, where nothing else is wanted, speaker is not among them.
    """
    rows = con.execute(BY_DIMENSIONS, _parameters(wanted, weights))
    found = ((id, score, dict(zip(PARTS, parts, strict=True))) for id, score, *parts in rows)
    return _in_exchanges(con, found, depth, scope)


def _parameters(wanted: Wanted, weights: Mapping[Part, float]) -> dict[str, Any]:
    keywords = [(number, len(words), word) for number, words in enumerate(wanted.keywords) for word in words]
    lists = {
        "times": [(first or FIRST_DAY, last or LAST_DAY) for first, last in wanted.times],
        "locations": wanted.locations,
        "keywords": keywords,
        "speakers": wanted.speakers,
        "types": wanted.types,
    }
    return {
        **{name: msgspec.json.encode(value).decode() for name, value in lists.items()},
        **{f"w_{part}": weights.get(part, 0.0) for part in PARTS},
        "phrases": len(wanted.keywords),
        "by_speaker": not (wanted.times or wanted.locations or wanted.keywords),
        "mentioned": MENTIONED,
        "answer": wanted.answer,
    }


def _in_exchanges(con: apsw.Connection, found: Iterator[Agreeing], depth: int, scope: Scope) -> list[Match]:
    """Return those records, in order, that lead to an exchange in scope, until `depth` exchanges are found."""
    sql = PLACES_IN_SCOPE if scope.is_narrow else PLACES_ANYWHERE
    parameters = scope.parameters if scope.is_narrow else {}
    matches: list[Match] = []
    seen: set[int] = set()
    for batch in _batches(found):
        places = dict(con.execute(sql, {**parameters, "ids": id_list(id for id, _, _ in batch)}))
        for id, score, parts in batch:
            exchange = places.get(id)
            if exchange is None or (exchange not in seen and len(seen) == depth):
                continue
            seen.add(exchange)
            matches.append(Match(id, exchange, score, {name: share for name, share in parts.items() if share}))
        if len(seen) == depth:
            break
    return matches


def _batches(found: Iterator[Agreeing]) -> Iterator[list[Agreeing]]:
    while batch := list(islice(found, BATCH)):
        yield batch


def find_by_meaning(con: apsw.Connection, vector: bytes, scope: Scope) -> list[Match]:
    """Return the records most similar to a unit vector, with the cosine, best first."""
    small = dense.in_bytes(vector)
    sql = NEAREST_IN_SCOPE if scope.is_narrow else NEAREST
    parameters = scope.parameters if scope.is_narrow else {}
    near = [id for (id,) in con.execute(sql, {**parameters, "vector": small, "k": dense.COARSE})]
    return _similar(con, SIMILAR_OF_VECTORS, small, near, scope)


def similarities(con: apsw.Connection, vector: bytes, exchange_ids: Sequence[int], scope: Scope) -> list[Match]:
    """Return the cosine of each record of these exchanges with a unit vector, best first."""
    return _similar(con, SIMILAR_OF_EXCHANGES, dense.in_bytes(vector), exchange_ids, scope)


def _similar(con: apsw.Connection, sql: str, small: bytes, ids: Sequence[int], scope: Scope) -> list[Match]:
    return [Match(*row) for row in con.execute(sql, {**scope.parameters, "vector": small, "ids": id_list(ids)})]


def known_speakers(con: apsw.Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of some names by which a record has a speaker."""
    return tuple(name for (name,) in con.execute(SPEAKERS, (msgspec.json.encode(names).decode(),)))
