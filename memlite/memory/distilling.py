"""The work that follows an import: objects and vectors, exchange by exchange.

Tasks are claimed a few at a time, worked on without any lock and written in one short transaction, so a kill costs at
most one batch of work and no text, and two processes share the work instead of doing it twice.
"""

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct, field

from memlite.distill import VERSION, distil, opening, skip_reason
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.store import dense, palace, recall, tasks
from memlite.store.connection import Store
from memlite.store.palace import Making
from memlite.text import tokens, words
from memlite.text.times import now
from memlite.types.palace import Exchange, PalaceObject
from memlite.types.report import DistillReport

DISTILL_BATCH = 128
EMBED_BATCH = 256
RAREST = 15
KIND: dict[dense.Layer, str] = {"distilled": "embed", "verbatim": "embed-verbatim"}
# Of a verbatim part, estimated. MiniLM reads 256, but one sentence among 200 tokens hardly moves their vector: asked in
# other words, it had a cosine of 0.17 in parts of 200 tokens, 0.24 in parts of 60 (another one 0.22 and 0.32).
PART_TOKENS = 60

Progress = Callable[[str, int, int], None]
"""(what: `distill`, `embed` or `embed-verbatim`, exchanges done, exchanges in all)"""


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


def work(
    store: Store, embedder: Embedder | None, rules: Rules, limit: int | None, progress: Progress | None
) -> DistillReport:
    """Distil and embed what waits, up to `limit` exchanges, and report."""
    started = time.monotonic()
    tally = Tally()
    me = owner()
    with store.transaction() as con:
        tasks.retry_failed(con)
    _release(store, [other for other in tasks.list_owners(store.con) if is_gone(other)])
    try:
        _repeat(store, "distill", limit, progress, lambda n: _distill_some(store, me, n, rules, tally), DISTILL_BATCH)
        if embedder is not None:
            for layer, kind in KIND.items():
                if tasks.count_pending(store.con, kind):
                    with store.transaction() as con:
                        dense.adopt_fingerprint(con, layer, embedder.fingerprint, now())
                    step = partial(_embed_some, store, me, embedder=embedder, tally=tally, layer=layer)
                    _repeat(store, kind, None, progress, step, EMBED_BATCH)
    except BaseException:
        _release(store, [me])
        raise
    waiting = tasks.count_tasks(store.con)
    return DistillReport(
        distilled=tally.distilled,
        embedded=tally.embedded,
        skipped=dict(sorted(tally.skipped.items())),
        failed=tally.failed,
        pending=waiting.pending,
        tokens_before=tally.tokens_before,
        tokens_after=tally.tokens_after,
        seconds=round(time.monotonic() - started, 3),
    )


def _release(store: Store, owners: Sequence[str]) -> None:
    if owners:
        with store.transaction() as con:
            for name in owners:
                tasks.release(con, name)


def _repeat(
    store: Store, kind: str, limit: int | None, progress: Progress | None, step: Callable[[int], int], batch: int
) -> None:
    total = tasks.count_pending(store.con, kind)
    total = total if limit is None else min(total, limit)
    done = 0
    while done < total:
        count = step(min(batch, total - done))
        if not count:  # another process has taken the rest
            break
        done += count
        if progress:
            progress(kind, done, total)


def _distill_some(store: Store, me: str, count: int, rules: Rules, tally: Tally) -> int:
    with store.transaction() as con:
        ids = tasks.claim(con, "distill", me, count)
    found = recall.get_exchanges(store.con, ids)
    tools = recall.get_tools(store.con, ids)
    outcomes = {id: _distil_one(found[id].automated, found[id].exchange(tools.get(id, ())), rules) for id in ids}
    with store.transaction() as con:
        for id, outcome in outcomes.items():
            if isinstance(outcome, Undone):
                if tasks.settle(con, id, "distill", me, outcome.state, outcome.reason):
                    tally.count(outcome)
            elif tasks.finish(con, id, "distill", me):
                made, making = outcome
                palace.replace_object(con, id, made, making, found[id].conversation.project, now())
                tasks.add_task(con, id, "embed")
                tally.distilled += 1
                tally.tokens_before += making.tokens_before
                tally.tokens_after += making.tokens_after
    return len(ids)


def _distil_one(automated: str, given: Exchange, rules: Rules) -> tuple[PalaceObject, Making] | Undone:
    reason = automated or skip_reason(given, rules.min_chars)
    if reason:
        return Undone("skipped", reason)
    try:
        made = distil(given)
    except Exception as error:  # one exchange that the rules cannot take must not keep all others from being distilled
        return Undone("failed", f"{type(error).__name__}: {error}")
    if not made.exchange_core:
        return Undone("skipped", "nothing but filler")
    said = given.text
    return made, Making(
        model="",
        prompt_version=VERSION,
        vocab_survival=survival(said, made.distilled_text),
        tokens_before=tokens.estimate(said),
        tokens_after=tokens.estimate(made.distilled_text),
    )


def survival(text: str, distilled: str) -> float:
    """Return which share of the 15 rarest words of an exchange its object keeps (arXiv 2603.13017, vocabulary)."""
    said = dict.fromkeys(word.casefold() for word in words.words(text))
    lang = words.language(said)
    rarest = sorted(said, key=lambda word: words.rarity(word, lang), reverse=True)[:RAREST]
    kept = {word.casefold() for word in words.words(distilled)}
    return sum(word in kept for word in rarest) / len(rarest) if rarest else 1.0


def _embed_some(store: Store, me: str, count: int, embedder: Embedder, tally: Tally, layer: dense.Layer) -> int:
    kind = KIND[layer]
    with store.transaction() as con:
        ids = tasks.claim(con, kind, me, count)
    texts = (_distilled_texts if layer == "distilled" else _verbatim_texts)(store, ids)
    vectors = iter(embedder.embed([text for parts in texts.values() for text in parts]))
    made = {id: [next(vectors) for _ in parts] for id, parts in texts.items()}
    with store.transaction() as con:
        done = [(id, parts) for id, parts in made.items() if tasks.finish(con, id, kind, me)]
        if layer == "distilled":
            done = [(id, [dense.mean_direction(parts)]) for id, parts in done]
        dense.add_vectors(con, layer, done)
        for id in set(ids) - set(made):  # its object was taken out meanwhile: distilling will ask again
            tasks.finish(con, id, kind, me)
    tally.embedded += len(done)
    return len(ids)


def _distilled_texts(store: Store, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return what the vector of each exchange is made of: its object, and the words a person asked with."""
    distilled = palace.distilled_texts(store.con, ids)
    found = recall.get_exchanges(store.con, list(distilled))
    return {id: [text, *filter(None, [opening(found[id].exchange())])] for id, text in distilled.items()}


def _verbatim_texts(store: Store, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return what was said in each exchange, in parts that the model reads whole."""
    return {
        id: list(words.parts(found.text, PART_TOKENS)) for id, found in recall.get_exchanges(store.con, ids).items()
    }
