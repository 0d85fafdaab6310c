"""Records held against each other: what says the same, what takes another's place, what is over.

A batch of records is read with all that may speak of the same, judged by rules without any lock, and written in one
short transaction with what follows for every chain it touches. A record leaves the queue in the transaction that holds
its decisions, so a run that is killed goes on where it stopped and ends in the same state. A vector is only made where
words do not decide, and for a pair that has passed the gate.
"""

import time
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from math import sqrt
from operator import mul

from msgspec import Struct, field

from memlite.errors import NotFound, UsageError
from memlite.memory.working import Progress
from memlite.models.base import Embedder
from memlite.store import dense
from memlite.store import history as past
from memlite.store import update as stored
from memlite.store.connection import Connection, Store
from memlite.store.update import Candidate, Decided, Stored
from memlite.text.times import now
from memlite.types.update import Decision, History, Merge, Retract, Supersede, UpdateReport
from memlite.update import order
from memlite.update.chain import Dated, settle
from memlite.update.decide import UNCLEAR, VERSION, decide
from memlite.update.gate import OVERLAP, is_personal, traits

BATCH = 256
KINDS: Mapping[str, type[Merge] | type[Supersede] | type[Retract]] = {
    "merge": Merge,
    "supersede": Supersede,
    "retract": Retract,
}


class Tally(Struct):
    """What a run has done so far."""

    records: int = 0
    pairs: int = 0
    by_keywords: int = 0
    by_words: int = 0
    compared: int = 0
    computed: set[int] = field(default_factory=set)
    reused: set[int] = field(default_factory=set)
    decisions: Counter[str] = field(default_factory=Counter)
    superseded: int = 0
    restored: int = 0


class Run(Struct):
    """One update at its work."""

    store: Store
    embedder: Embedder | None
    progress: Progress | None = None
    dry_run: bool = False
    tally: Tally = field(default_factory=Tally)


def update(store: Store, embedder: Embedder | None, progress: Progress | None, *, dry_run: bool) -> UpdateReport:
    """Hold every record against the others, going on with a run that was interrupted; a dry run changes nothing.

    :raises EmbedderMismatch: the store's vectors are another model's
    """
    run = Run(store, embedder, progress, dry_run)
    with _shadows(store) if dry_run else nullcontext():
        with store.transaction() as con:
            stored.queue_all(con, now())
        return work(run)


@contextmanager
def _shadows(store: Store) -> Iterator[None]:
    con = store.con
    try:
        stored.shadow(con)
        yield
    finally:
        stored.unshadow(con)


def work(run: Run) -> UpdateReport:
    """Hold the records that wait against the others."""
    started = time.monotonic()
    store, tally = run.store, run.tally
    total = stored.count_waiting(store.con)
    while ids := stored.next_waiting(store.con, BATCH):
        _update_some(run, ids)
        tally.records += len(ids)
        if run.progress:
            run.progress("update", min(tally.records, total), total)
    with store.transaction() as con:
        stored.end_run(con)
    return _report(run, time.monotonic() - started)


def _report(run: Run, seconds: float) -> UpdateReport:
    tally = run.tally
    needed = len(tally.computed) + len(tally.reused)
    return UpdateReport(
        records=tally.records,
        in_store=run.store.con.execute("select count(*) from record").get,
        pairs=tally.pairs,
        by_keywords=tally.by_keywords,
        decided_by_words=tally.by_words,
        compared=tally.compared,
        embeddings_computed=len(tally.computed),
        embeddings_reused=len(tally.reused),
        embeddings_avoided=max(0, tally.records - needed),
        decisions={kind: tally.decisions[kind] for kind in (*KINDS, "keep")},
        superseded=tally.superseded,
        restored=tally.restored,
        model_calls=0,
        seconds=round(seconds, 3),
        dry_run=run.dry_run,
    )


# -- one batch --


class Judged(Struct):
    """What was decided about pairs of records, and what was decided about them before."""

    made: list[Decided] = field(default_factory=list)
    stale: list[tuple[int, int]] = field(default_factory=list)


def _update_some(run: Run, ids: Sequence[int]) -> None:
    """Compare some of the records that wait with all others, and store what follows."""
    judged = _judge(run, ids)
    with run.store.transaction() as con:
        mine = stored.still_waiting(con, ids)
        ours = [one for one in judged.made if one.old_id in mine or one.new_id in mine]
        stale = [pair for pair in judged.stale if pair[0] in mine or pair[1] in mine]
        stored.replace_decisions(con, stale, ours, VERSION, now())
        around = {id for pair in stale for id in pair}
        closed, restored = settle_chains(con, mine | around, dry_run=run.dry_run)
        stored.take_out(con, mine)
    run.tally.superseded += closed
    run.tally.restored += restored
    run.tally.decisions.update(one.kind for one in ours)


def _judge(run: Run, ids: Sequence[int]) -> Judged:
    """Decide about the pairs of these records and all that may speak of the same."""
    with run.store.transaction() as con:
        found = stored.get_stored(con, ids)
        stored.replace_traits(con, {id: _rows(one) for id, one in found.items()})
    with run.store.reading() as con:
        near = stored.find_candidates(con, list(found))
        passing = [pair for pair in near if pair.proven or pair.overlap >= OVERLAP]
        found |= stored.get_stored(con, {pair.other for pair in passing} - found.keys())
        reverted = stored.get_reverted(con, ids)
        judged = Judged(stale=stored.get_stale(con, ids))
    run.tally.pairs += len(near)
    pairs = [_pair(pair, found) for pair in passing if pair.other in found and _in_scope(pair, found)]
    pairs = [pair for pair in pairs if (pair[0].id, pair[1].id) not in reverted]
    run.tally.by_keywords += len(pairs)
    judged.made = [_decided(old, new, made) for old, new, made in _decide(run, pairs)]
    return judged


def _rows(one: Stored) -> list[tuple[str, str]]:
    found = traits(one.record)
    words = [("word", word) for word in sorted(found.words)]
    return [*words, *(("slot", slot) for slot in sorted(found.slots)), ("text", found.text)]


def _in_scope(pair: Candidate, found: Mapping[int, Stored]) -> bool:
    """Say whether two records may bear on each other: within a project, or about one person."""
    one, other = found[pair.id], found[pair.other]
    speakers = {one.record.speaker, other.record.speaker} - {""}
    if not pair.proven and (one.record.type != other.record.type or len(speakers) > 1):
        return False
    if one.project == other.project:
        return True
    return one.record.speaker == other.record.speaker and is_personal(one.record) and is_personal(other.record)


def _pair(pair: Candidate, found: Mapping[int, Stored]) -> tuple[Dated, Dated]:
    """Return a pair with the earlier one first."""
    one, other = dated(pair.id, found[pair.id]), dated(pair.other, found[pair.other])
    return (one, other) if (one.place, one.id) < (other.place, other.id) else (other, one)


def dated(id: int, one: Stored) -> Dated:
    """Return a record with what tells its place in time. What nobody dates counts as of when it came."""
    at = order.moment(one.record) or one.added_at
    return Dated(id, one.record, one.project, (at, one.record.said_at or "", one.conversation, one.seq, one.start))


def _decide(run: Run, pairs: Sequence[tuple[Dated, Dated]]) -> Iterator[tuple[Dated, Dated, Decision]]:
    """Yield each pair with what the words decide or, where they decide nothing, the vectors."""
    unclear = []
    for old, new in pairs:
        made = decide(old.record, new.record)
        if made.reason == UNCLEAR:
            unclear.append((old, new))
        else:
            run.tally.by_words += 1
            yield old, new, made
    vectors = _vectors(run, {one.id: one.record.content for pair in unclear for one in pair})
    for old, new in unclear:
        run.tally.compared += bool(vectors)
        yield old, new, decide(old.record, new.record, _cosine(vectors[old.id], vectors[new.id]) if vectors else None)


def _vectors(run: Run, contents: Mapping[int, str]) -> dict[int, bytes]:
    """Return the vectors of records, those the store has and, made now, those it has not; none without a model."""
    if run.embedder is None or not contents:
        return {}
    with run.store.reading() as con:
        dense.check_fingerprint(con, "records", run.embedder.fingerprint)
        vectors = stored.get_vectors(con, contents)
    missing = [id for id in contents if id not in vectors]
    made = run.embedder.embed([contents[id] for id in missing])
    vectors |= {id: dense.in_bytes(vector) for id, vector in zip(missing, made, strict=True)}
    run.tally.computed.update(missing)
    run.tally.reused.update(contents.keys() - set(missing))
    return vectors


def _cosine(one: bytes, other: bytes) -> float:
    """Return the cosine of two vectors of signed bytes."""
    mine, theirs = array("b", one), array("b", other)
    lengths = sqrt(sum(map(mul, mine, mine)) * sum(map(mul, theirs, theirs)))
    return round(sum(map(mul, mine, theirs)) / lengths, 4) if lengths else 0.0


def _decided(old: Dated, new: Dated, made: Decision) -> Decided:
    kind = next((name for name, struct in KINDS.items() if isinstance(made, struct)), "keep")
    return Decided(old.id, new.id, kind, made.reason, made.keywords, made.cosine)


def settle_chains(con: Connection, ids: Iterable[int], *, dry_run: bool = False) -> tuple[int, int]:
    """Store what follows for these records and all they are chained to; return how many were closed and reopened."""
    closing = stored.get_closing(con, ids)
    chained = {id for one in closing for id in (one.old_id, one.new_id)} | set(ids)
    found = {id: dated(id, one) for id, one in stored.get_stored(con, chained).items()}
    decisions: dict[tuple[int, int], Decision] = {
        (one.old_id, one.new_id): KINDS[one.kind](one.reason, one.keywords, one.cosine) for one in closing
    }
    rows = [
        (id, held.valid_from, held.valid_to, held.closed_by, held.closed_how)
        for id, held in settle(found, decisions).items()
    ]
    return stored.set_validity(con, rows, dry_run=dry_run)


# -- history --


def history(store: Store, id: int) -> History:
    """Return what became of a record, and why.

    :raises NotFound: the store has no such record
    """
    with store.reading() as con:
        found = past.get_validity(con, id)
        if found is None:
            raise NotFound(f"there is no record {id}. List them with: memlite records list --all")
        merged = past.get_merged(con, id)
        return History(id, *found, sources=past.get_sources(con, merged), steps=past.get_steps(con, merged))


def revert(store: Store, id: int) -> History:
    """Take back what closed a record, so that it is active again; the decisions stay in its history.

    :raises NotFound: the store has no such record
    :raises UsageError: nothing has closed it
    """
    before = history(store, id)
    if before.state == "active":
        raise UsageError(f"record {id} is active: there is nothing to revert. See: memlite records history {id}")
    with store.transaction() as con:
        while (held := past.get_validity(con, id)) and held[1] != "active":
            closer = held[4]
            pairs = [
                (one.old_id, one.new_id)
                for one in stored.get_closing(con, [id])
                if {one.old_id, one.new_id} == {id, closer} or (one.old_id == id)
            ]
            stored.revert(con, pairs, now())
            around = {id for pair in pairs for id in pair}
            settle_chains(con, around)
    return history(store, id)
