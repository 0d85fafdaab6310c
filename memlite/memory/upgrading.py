"""A model makes objects better, one exchange at a time, most useful first.

The model works without any lock. What it made is embedded at once and written, with where its words stand and what came
of each field, in one short transaction: until then the earlier object and its vector serve every search. One exchange
is claimed at a time, so a kill costs that one, and two processes share the work.
"""

import time
from collections import Counter

from msgspec import Struct, field, structs

from memlite.distill import VERSION, distil, upgrade
from memlite.distill.grounding import settle
from memlite.distill.strategies import Strategy
from memlite.errors import ModelUnusable
from memlite.memory import distilling, embedding, reading, updating, working
from memlite.memory.working import Bounds, Progress
from memlite.models.base import Embedder, Generator
from memlite.segment import Rules
from memlite.store import dense, palace, recall, tasks, upgrades
from memlite.store.connection import Connection, Store
from memlite.store.recall import FoundExchange
from memlite.store.upgrades import Attempt, Scope
from memlite.text.times import now
from memlite.types.palace import Exchange, PalaceObject, Proposal, Settled
from memlite.types.report import DistillReport, Outcomes, UpgradeReport

KIND = "upgrade"
ASK_BATCH = 5_000


class Basis(Struct, frozen=True):
    """What a proposal is made of and held against, as it stood when it was read."""

    found: FoundExchange
    given: Exchange
    stored: PalaceObject
    model: str
    version: str

    def floor(self) -> PalaceObject:
        """Return what the exchange has without the proposal.

        That is what today's rules make of it, and what an earlier model made of it where it passes today's gate: a
        later model has to better that field by field, and cannot take it away.
        """
        floor = distil(self.given)
        if not floor.exchange_core:  # today's rules would make no object; taking one out is for `work(redo=True)`
            return self.stored
        if self.stored.engine == "extractive":
            return floor
        earlier = Proposal(self.stored.exchange_core, self.stored.specific_context, self.stored.rooms)
        return settle(self.given, floor, earlier, self.stored.engine).object


def read_basis(con: Connection, exchange_id: int) -> Basis | None:
    """Return what there is of an exchange; None when it is not there or has no object."""
    view = palace.get_objects(con, [exchange_id]).get(exchange_id)
    if view is None:
        return None
    found = recall.get_exchanges(con, [exchange_id])[exchange_id]
    given = found.exchange(recall.get_tools(con, [exchange_id]).get(exchange_id, ()))
    return Basis(found, given, PalaceObject(**structs.asdict(view)), *palace.get_maker(con, exchange_id))


class Write(Struct, frozen=True):
    """What is to be written of a proposal."""

    attempt: Attempt
    made: PalaceObject
    making: palace.Making | None
    """None where the object stays as it is."""
    vector: bytes | None
    """None where the object stays as it is, or its vector is to wait."""


def prepare(basis: Basis, settled: Settled, attempt: Attempt, embedder: Embedder | None) -> Write:
    """Measure and embed what came of a proposal; nothing is locked yet."""
    made = settled.object
    if _says_the_same(made, basis.stored):
        return Write(attempt, made, None, None)
    if attempt.improved:
        model, version = attempt.model, attempt.prompt_version
    elif made.engine == "extractive":
        model, version = "", VERSION
    else:
        model, version = basis.model, basis.version
    making = distilling.making_of(basis.found, basis.given, made, model, version)
    texts = embedding.object_texts(made.distilled_text, basis.given)
    vector = dense.mean_direction(embedder.embed(texts)) if embedder else None
    return Write(attempt, made, making, vector)


def commit(con: Connection, exchange_id: int, basis: Basis, write: Write) -> None:
    """Write the object with its vector, and the attempt."""
    at = now()
    if write.making is not None:
        palace.replace_object(con, exchange_id, write.made, write.making, basis.given.project, at)
        if write.vector is None:
            tasks.add_task(con, exchange_id, "embed")
        else:
            dense.add_vectors(con, "distilled", [(exchange_id, {0: write.vector})])
            tasks.withdraw(con, exchange_id, "embed")
    upgrades.record(con, exchange_id, write.attempt, at)


def _says_the_same(one: PalaceObject, other: PalaceObject) -> bool:
    """Compare two objects, one of which was stored: rooms lose their order and share the label of the first one."""
    rooms = [{(room.type, room.key) for room in made.rooms} for made in (one, other)]
    texts = [(made.exchange_core, made.specific_context, made.engine) for made in (one, other)]
    return texts[0] == texts[1] and rooms[0] == rooms[1]


def ask(store: Store, scope: Scope) -> None:
    """Ask for every object in scope, also after a failure; some at a time, so that no other writer waits long."""
    with store.transaction() as con:
        tasks.retry_failed(con, KIND)
    with store.reading() as con:
        found = upgrades.find_unasked(con, scope)
    for start in range(0, len(found), ASK_BATCH):
        with store.transaction() as con:
            upgrades.ask(con, found[start : start + ASK_BATCH])


class FieldTally(Struct):
    """What became of the fields of many proposals."""

    improved: int = 0
    kept: int = 0
    fields: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, attempt: Attempt) -> None:
        """Count one proposal."""
        if attempt.improved:
            self.improved += 1
        else:
            self.kept += 1
        for name, outcome in attempt.outcomes.items():
            self.fields.setdefault(name, Counter())[outcome] += 1

    def outcomes(self) -> Outcomes:
        """Return the fields with their outcomes, commonest first."""
        return {name: dict(counts.most_common()) for name, counts in self.fields.items()}


class _Upgrading:
    """One worker with a model, at the objects of its scope."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        generator: Generator,
        strategy: Strategy,
        bounds: Bounds,
        scope: Scope,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._generator = generator
        self._strategy = strategy
        self._bounds = bounds
        self._scope = scope
        self._me = working.owner()
        self._tally = FieldTally()
        self._failed: Counter[str] = Counter()
        self._embedded = 0
        self._seconds = 0.0

    def run(self, progress: Progress | None) -> None:
        """Work through the scope, up to the bounds."""
        total = self._bounds.within(upgrades.count_waiting(self._store.con, self._scope))
        done = 0
        with working.giving_back(self._store, self._me):
            while done < total and not self._bounds.passed and self._one():
                done += 1
                if progress:
                    progress(KIND, done, total)

    def report(self, floor: DistillReport, seconds: float) -> DistillReport:
        """Return the report of distilling with what the model did."""
        tally = self._tally
        tried = tally.improved + tally.kept
        done = UpgradeReport(
            model=self._generator.info.name,
            tried=tried,
            improved=tally.improved,
            kept=tally.kept,
            failed=dict(sorted(self._failed.items())),
            pending=upgrades.count_waiting(self._store.con, self._scope),
            fields=tally.outcomes(),
            seconds_each=round(self._seconds / tried, 3) if tried else 0.0,
        )
        pending = tasks.count_tasks(self._store.con).pending
        embedded = floor.embedded + self._embedded
        return structs.replace(
            floor, embedded=embedded, pending=pending, seconds=round(floor.seconds + seconds, 3), upgrades=done
        )

    def _claim(self) -> tuple[int, Basis] | None:
        with self._store.transaction() as con:
            id = upgrades.claim(con, self._me, self._scope)
            if id is None:
                return None
            basis = read_basis(con, id)
            assert basis is not None  # what has no object cannot be claimed
            return id, basis

    def _one(self) -> bool:
        """Work on one object; False when there is none left that no living worker holds."""
        claimed = self._claim() or (self._claim() if working.recover(self._store) else None)
        if claimed is None:
            return False
        id, basis = claimed
        started = time.monotonic()
        try:
            settled = upgrade.upgrade(basis.given, basis.floor(), self._generator, self._strategy)
        except ModelUnusable:
            raise
        except Exception as error:  # one exchange that the model cannot take must not keep it from the others
            self._fail(id, f"{type(error).__name__}: {error}")
            return True
        info = self._generator.info
        seconds = round(time.monotonic() - started, 3)
        attempt = Attempt("gguf", info.digest, info.name, upgrade.version(self._strategy), settled.outcomes, seconds)
        write = prepare(basis, settled, attempt, self._embedder)
        with self._store.transaction() as con:
            mine = tasks.finish(con, id, KIND, self._me)
            if mine:
                commit(con, id, basis, write)
        if mine:  # else it changed meanwhile, or another worker has it: what was made of it counts for nothing
            self._tally.add(attempt)
            self._seconds += seconds
            self._embedded += write.vector is not None
        return True

    def _fail(self, id: int, reason: str) -> None:
        with self._store.transaction() as con:
            mine = tasks.settle(con, id, KIND, self._me, "failed", reason)
        if mine:
            self._failed[reason] += 1


def work(
    store: Store,
    embedder: Embedder | None,
    rules: Rules,
    generator: Generator,
    strategy: Strategy,
    bounds: Bounds,
    progress: Progress | None,
    *,
    again: bool = False,
) -> DistillReport:
    """Distil what waits by rules, then have the model make objects better within bounds, and report.

    Where the strategy asks for records, the model then reads for these too, within the same bounds.

    With `again` also those that another model has tried, or this one with an earlier prompt.

    :raises ModelUnusable: the model cannot be used; what it had done by then is written
    :raises EmbedderMismatch: the store's vectors are another model's
    """
    scope = Scope(bounds.project, again, generator.info.digest, upgrade.version(strategy))
    unlimited = structs.replace(bounds, limit=None)
    floor = distilling.work(store, embedder, rules, unlimited, progress, redo=again, models=strategy.records)
    started = time.monotonic()
    if embedder is not None:
        embedding.adopt(store, embedder)
    ask(store, scope)
    worker = _Upgrading(store, embedder, generator, strategy, bounds, scope)
    worker.run(progress)
    if strategy.records:
        floor = _with_records(floor, reading.work(store, embedder, generator, bounds, progress, again=again))
        updated = updating.work(updating.Run(store, embedder, progress))
        floor = structs.replace(floor, updated=updated if updated.records else floor.updated)
    return worker.report(floor, time.monotonic() - started)


def _with_records(report: DistillReport, tally: working.Tally) -> DistillReport:
    """A report with what a model read for records."""
    return structs.replace(
        report,
        windows=report.windows + tally.windows,
        windows_failed=dict(sorted((tally.windows_failed + Counter(report.windows_failed)).items())),
        records=report.records + tally.records,
        records_refused=dict(sorted((tally.records_refused + Counter(report.records_refused)).items())),
        records_embedded=report.records_embedded + tally.records_embedded,
    )
