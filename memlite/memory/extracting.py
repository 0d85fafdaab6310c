"""Records out of what people said, window by window.

The exchanges that wait are packed into windows, each with a few messages before it to understand it by. What a window
gives is held against it once more, whichever engine read it: a record must come from the new part, and name a span, a
type and days that exist. An engine that fails on a window is given its exchanges one by one, so that one of them does
not keep the others from being read; the one it still fails on waits for another run.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, get_args

from msgspec import Struct, field

from memlite import extract
from memlite.errors import ModelUnusable
from memlite.extract.merging import give_way
from memlite.memory.working import Run
from memlite.store import readings, records, stretches, tasks, tombstones, upgrades
from memlite.store.connection import Connection
from memlite.store.records import Maker, Sourced
from memlite.store.stretches import Stretch
from memlite.text.days import first_day, last_day
from memlite.text.times import now
from memlite.types.records import Heard, Record, RecordType, Window

BATCH = 128

Extractor = Callable[[Window], list[Record]]


class Engine(Struct, frozen=True):
    """An extractor and what its records are to be known by."""

    extractor: Extractor
    maker: Maker
    kind: Literal["extract", "upgrade-record"] = "extract"
    """Which tasks it takes: those of `upgrade-record` are read once more, and what is found joins what is there."""


RULES = Engine(extract.extract, Maker("extractive", "", extract.VERSION))


class Reading(Struct):
    """What became of some exchanges."""

    made: dict[int, list[Sourced]] = field(default_factory=dict)
    """Exchange id -> its records; none is a result too."""
    failed: dict[int, str] = field(default_factory=dict)
    """Exchange id -> why the engine could not read it."""
    windows: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def extract_some(run: Run, engine: Engine, count: int) -> int:
    """Read up to `count` of the exchanges that wait, and return how many there were."""
    with run.store.transaction() as con:
        lease = tasks.LEASE_SECONDS if engine.kind == "extract" else upgrades.LEASE_SECONDS
        ids = tasks.claim(con, engine.kind, run.me, count, run.bounds.project, lease)
    with run.store.reading() as con:
        found = stretches.get_stretches(con, ids)
        windows = [(pack, _context(con, pack)) for pack in packs(found)]
    reading = Reading(made={id: [] for id in ids})
    for pack, context in windows:
        read(pack, context, engine, reading)
    _write(run, engine, {stretch.exchange_id: stretch.conversation_id for stretch in found}, reading)
    return len(ids)


def packs(found: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Yield runs of neighbouring exchanges that fill a window; one that is longer has a window of its own."""
    pack: list[Stretch] = []
    for stretch in found:
        if pack and not (_follows(pack[-1], stretch) and _fits(pack, stretch)):
            yield pack
            pack = []
        pack.append(stretch)
    if pack:
        yield pack


def _follows(one: Stretch, other: Stretch) -> bool:
    return one.conversation_id == other.conversation_id and one.seq_end + 1 == other.seq_start


def _fits(pack: Sequence[Stretch], stretch: Stretch) -> bool:
    size, overlap = extract.PRESETS[stretch.style]
    room = size - overlap if pack[0].seq_start else size  # a conversation begins without context
    return sum(one.counted for one in (*pack, stretch)) <= room


def _context(con: Connection, pack: Sequence[Stretch]) -> tuple[Heard, ...]:
    return stretches.get_before(con, pack[0], extract.PRESETS[pack[0].style].overlap)


def read(pack: Sequence[Stretch], context: tuple[Heard, ...], engine: Engine, reading: Reading) -> None:
    """Have an engine read exchanges as one window, or one by one when it fails on them together."""
    new = tuple(spoken.heard for stretch in pack for spoken in stretch.messages)
    window = Window((*context, *new), len(context), pack[0].style)
    try:
        found = engine.extractor(window)
    except ModelUnusable:
        raise
    except Exception as error:  # one window that the engine cannot take must not keep all others from being read
        if len(pack) == 1:
            reading.windows += 1
            reading.failed[pack[0].exchange_id] = f"{type(error).__name__}: {error}"
            return
        for stretch in pack:
            read([stretch], context, engine, reading)
            context = (*context, *(spoken.heard for spoken in stretch.messages))
        return
    reading.windows += 1
    _take(found, pack, reading)


def _take(found: Sequence[Record], pack: Sequence[Stretch], reading: Reading) -> None:
    """Keep the records that hold against their window; count the others."""
    new = {spoken.heard.ply: (stretch, spoken) for stretch in pack for spoken in stretch.messages}
    for record in found:
        if record.ply not in new:
            reading.refused["not from the new part of its window"] += 1
            continue
        stretch, (message_id, heard) = new[record.ply]
        if reason := refusal(record, heard):
            reading.refused[reason] += 1
        else:
            reading.made.setdefault(stretch.exchange_id, []).append(Sourced(record, message_id))


def refusal(record: Record, heard: Heard) -> str:
    """Return why a record cannot be one of its message, or ""."""
    if not record.content.strip():
        return "no content"
    if record.type not in get_args(RecordType):
        return "no such type"
    if not 0 <= record.start < record.end <= len(heard.content):
        return "span outside its message"
    if not 0 <= record.confidence <= 1:
        return "confidence not from 0 to 1"
    try:
        first = None if record.time_start is None else first_day(record.time_start)
        last = None if record.time_end is None else last_day(record.time_end)
    except ValueError:
        return "no such date"
    return "ends before it begins" if first and last and last < first else ""


def _write(run: Run, engine: Engine, conversations: dict[int, int], reading: Reading) -> None:
    """Store what was read, as far as this worker still holds it."""
    tally = run.tally
    at = now()
    with run.store.transaction() as con:
        guard = tombstones.Guard(con)
        for id, reason in reading.failed.items():
            if tasks.settle(con, id, engine.kind, run.me, "failed", reason):
                tally.windows_failed[reason] += 1
        for id, made in reading.made.items():
            if id not in reading.failed and tasks.finish(con, id, engine.kind, run.me):
                kept = [one for one in made if not guard.stops_record(one.record.content)]
                reading.refused["forgotten"] += len(made) - len(kept)
                made = kept
                if engine.kind == "upgrade-record":
                    made = _joining(con, id, conversations, made, engine.maker, at, reading)
                elif id in conversations:
                    records.replace_records(con, id, conversations[id], made, engine.maker, at)
                tally.records += len(made)
    tally.windows += reading.windows
    tally.records_refused += reading.refused


def _joining(
    con: Connection,
    id: int,
    conversations: dict[int, int],
    made: Sequence[Sourced],
    maker: Maker,
    at: str,
    reading: Reading,
) -> list[Sourced]:
    """Store those of a model's records that the exchange has not, or has less well; return them."""
    there = {view.id: view for view in records.get_by_exchange(con, [id]).get(id, ())}
    gone: list[int] = []
    joined: list[Sourced] = []
    for one in made:
        way = give_way(one.record, {view.id: view for view in there.values() if view.message_id == one.message_id})
        if way is None:
            reading.refused["said already"] += 1
            continue
        joined.append(one)
        gone += way
        for number in way:
            del there[number]
    if id in conversations:
        records.join_records(con, id, conversations[id], gone, joined, maker, at)
    readings.record(con, id, maker.model, maker.version, at)
    return joined
