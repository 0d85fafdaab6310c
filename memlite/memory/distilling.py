"""The work that follows an import: objects and vectors, exchange by exchange.

Tasks are claimed a few at a time, worked on without any lock and written in one short transaction, so a kill costs at
most one batch of work and no text, and two processes share the work instead of doing it twice.
"""

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Literal

from msgspec import Struct, field

from memlite.distill import VERSION, distil, opening, skip_reason
from memlite.distill.evidence import evidence
from memlite.distill.survival import asked_survival, survival
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.store import dense, palace, recall, tasks
from memlite.store.connection import Store
from memlite.store.palace import Making
from memlite.store.recall import FoundExchange
from memlite.text import tokens, words
from memlite.text.times import now
from memlite.types.palace import Exchange, PalaceObject
from memlite.types.report import DistillReport, Pointer

DISTILL_BATCH = 128
EMBED_BATCH = 256
KIND: dict[dense.Layer, str] = {"distilled": "embed", "verbatim": "embed-verbatim"}
# Of a verbatim part, estimated. MiniLM reads 256, but one sentence among 200 tokens hardly moves their vector: asked in
# other words, it had a cosine of 0.17 in parts of 200 tokens, 0.24 in parts of 60 (another one 0.22 and 0.32).
PART_TOKENS = 60

Progress = Callable[[str, int, int], None]
"""(what: `distill`, `embed`, `embed-verbatim` or `upgrade`, exchanges done, exchanges in all)"""


class Bounds(Struct, frozen=True):
    """How far a run goes: at most so many exchanges, up to an instant of `time.monotonic()`, one project."""

    limit: int | None = None
    deadline: float | None = None
    project: str = ""

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def within(self, waiting: int) -> int:
        """Return how many of those that wait the limit allows."""
        return waiting if self.limit is None else min(waiting, self.limit)


VECTORS_ONLY = Bounds(limit=0)


class Undone(Struct, frozen=True):
    """An exchange without an object, and why: not worth one, or the engine failed on it."""

    state: Literal["skipped", "failed"]
    reason: str


class Tally(Struct):
    """What a run has done so far."""

    distilled: int = 0
    embedded: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    tokens_before: int = 0
    tokens_after: int = 0

    def count(self, undone: Undone) -> None:
        """Count an exchange that got no object."""
        if undone.state == "failed":
            self.failed += 1
        else:
            self.skipped[undone.reason] += 1


def owner() -> str:
    """Return a name for this worker that no other living one has."""
    return f"{platform.node()}/{os.getpid()}/{threading.get_ident()}-{time.monotonic_ns()}"


def is_gone(owner: str) -> bool:
    """Return whether a worker's process is known to have ended; only the machine it ran on can tell."""
    node, pid, _ = owner.split("/")
    if node != platform.node() or os.name != "posix":  # on Windows os.kill ends a process that it is asked about
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # somebody else's, and alive
    return False


class Run(Struct):
    """One worker at its work."""

    store: Store
    me: str
    bounds: Bounds
    progress: Progress | None
    tally: Tally = field(default_factory=Tally)


def work(
    store: Store,
    embedder: Embedder | None,
    rules: Rules,
    bounds: Bounds,
    progress: Progress | None,
    *,
    redo: bool = False,
) -> DistillReport:
    """Distil and embed what waits, within bounds, and report; `redo` also distils what older rules did."""
    started = time.monotonic()
    run = Run(store, owner(), bounds, progress)
    with store.transaction() as con:
        if redo:
            tasks.ask_to_redo(con, VERSION, bounds.project)
        tasks.retry_failed(con, "distill", *KIND.values())
    recover(store)
    with giving_back(store, run.me):
        _repeat(run, "distill", partial(_distill_some, run, rules), DISTILL_BATCH, bounds.within)
        if embedder is not None:
            for layer, kind in KIND.items():
                if tasks.count_pending(store.con, kind, bounds.project):
                    adopt(store, embedder, layer)
                    _repeat(run, kind, partial(_embed_some, run, embedder, layer), EMBED_BATCH)
    tally = run.tally
    return DistillReport(
        distilled=tally.distilled,
        embedded=tally.embedded,
        skipped=dict(sorted(tally.skipped.items())),
        failed=tally.failed,
        pending=tasks.count_tasks(store.con).pending,
        tokens_before=tally.tokens_before,
        tokens_after=tally.tokens_after,
        seconds=round(time.monotonic() - started, 3),
    )


def adopt(store: Store, embedder: Embedder, layer: dense.Layer = "distilled") -> None:
    """Make sure that a layer takes this embedder's vectors.

    :raises EmbedderMismatch: the layer's vectors are another model's
    """
    with store.transaction() as con:
        dense.adopt_fingerprint(con, layer, embedder.fingerprint, now())


def recover(store: Store) -> bool:
    """Give back what workers hold that have ended, and return whether there were any."""
    gone = [other for other in tasks.list_owners(store.con) if is_gone(other)]
    if gone:
        with store.transaction() as con:
            for name in gone:
                tasks.recover(con, name)
    return bool(gone)


@contextmanager
def giving_back(store: Store, me: str) -> Iterator[None]:
    """Give back what a worker holds when it is interrupted or fails."""
    try:
        yield
    except BaseException:
        with store.transaction() as con:
            tasks.release(con, me)
        raise


def _repeat(
    run: Run, kind: str, step: Callable[[int], int], batch: int, within: Callable[[int], int] = lambda waiting: waiting
) -> None:
    total = within(tasks.count_pending(run.store.con, kind, run.bounds.project))
    done = 0
    while done < total and not run.bounds.passed:
        count = step(min(batch, total - done))
        if not count:  # another process has taken the rest
            break
        done += count
        if run.progress:
            run.progress(kind, done, total)


def _distill_some(run: Run, rules: Rules, count: int) -> int:
    with run.store.transaction() as con:
        ids = tasks.claim(con, "distill", run.me, count, run.bounds.project)
    found = recall.get_exchanges(run.store.con, ids)
    tools = recall.get_tools(run.store.con, ids)
    outcomes = {id: _distil_one(found[id], found[id].exchange(tools.get(id, ())), rules) for id in ids}
    tally = run.tally
    with run.store.transaction() as con:
        for id, outcome in outcomes.items():
            if isinstance(outcome, Undone):
                if tasks.settle(con, id, "distill", run.me, outcome.state, outcome.reason):
                    if outcome.state == "skipped":  # by today's rules; older ones may have made an object
                        palace.remove_objects(con, [id])
                    tally.count(outcome)
            elif tasks.finish(con, id, "distill", run.me):
                made, making = outcome
                palace.replace_object(con, id, made, making, found[id].conversation.project, now())
                tasks.add_task(con, id, "embed")
                tally.distilled += 1
                tally.tokens_before += making.tokens_before
                tally.tokens_after += making.tokens_after
    return len(ids)


def _distil_one(found: FoundExchange, given: Exchange, rules: Rules) -> tuple[PalaceObject, Making] | Undone:
    reason = found.automated or skip_reason(given, rules.min_chars)
    if reason:
        return Undone("skipped", reason)
    try:
        made = distil(given)
    except Exception as error:  # one exchange that the rules cannot take must not keep all others from being distilled
        return Undone("failed", f"{type(error).__name__}: {error}")
    if not made.exchange_core:
        return Undone("skipped", "nothing but filler")
    return made, making_of(found, given, made, "", VERSION)


def making_of(found: FoundExchange, given: Exchange, made: PalaceObject, model: str, version: str) -> Making:
    """Return how an object of an exchange was made, measured against the exchange."""
    said = given.text
    return Making(
        model=model,
        prompt_version=version,
        vocab_survival=survival(said, made.distilled_text),
        tokens_before=tokens.estimate(said),
        tokens_after=tokens.estimate(made.distilled_text),
        asked_survival=asked_survival(given, made.distilled_text),
        evidence=tuple(Pointer(at.field, found.messages[at.turn].id, at.start, at.end) for at in evidence(given, made)),
    )


def _embed_some(run: Run, embedder: Embedder, layer: dense.Layer, count: int) -> int:
    kind = KIND[layer]
    with run.store.transaction() as con:
        ids = tasks.claim(con, kind, run.me, count, run.bounds.project)
    texts = (_distilled_texts if layer == "distilled" else _verbatim_texts)(run.store, ids)
    vectors = iter(embedder.embed([text for parts in texts.values() for text in parts]))
    made = {id: [next(vectors) for _ in parts] for id, parts in texts.items()}
    with run.store.transaction() as con:
        done = [(id, parts) for id, parts in made.items() if tasks.finish(con, id, kind, run.me)]
        if layer == "distilled":
            done = [(id, [dense.mean_direction(parts)]) for id, parts in done]
        dense.add_vectors(con, layer, done)
        for id in set(ids) - set(made):  # its object was taken out meanwhile: distilling will ask again
            tasks.finish(con, id, kind, run.me)
    run.tally.embedded += len(done)
    return len(ids)


def object_texts(distilled: str, given: Exchange) -> list[str]:
    """Return what the vector of an object is made of: its text, and the words a person asked with."""
    return [distilled, *filter(None, [opening(given)])]


def _distilled_texts(store: Store, ids: Sequence[int]) -> dict[int, list[str]]:
    distilled = palace.distilled_texts(store.con, ids)
    found = recall.get_exchanges(store.con, list(distilled))
    return {id: object_texts(text, found[id].exchange()) for id, text in distilled.items()}


def _verbatim_texts(store: Store, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return what was said in each exchange, in parts that the model reads whole."""
    return {
        id: list(words.parts(found.text, PART_TOKENS)) for id, found in recall.get_exchanges(store.con, ids).items()
    }
