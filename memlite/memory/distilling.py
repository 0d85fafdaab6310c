"""The work that follows an import: objects, records and vectors, exchange by exchange."""

import time
from functools import partial

from memlite.distill import VERSION, distil, skip_reason
from memlite.distill.evidence import evidence
from memlite.distill.survival import asked_survival, survival
from memlite.memory import embedding, extracting, updating
from memlite.memory.working import Bounds, Progress, Run, Undone, giving_back, owner, recover, repeat
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.store import palace, recall, records, tasks
from memlite.store.connection import Store
from memlite.store.palace import Making
from memlite.store.recall import FoundExchange
from memlite.text import tokens
from memlite.text.times import now
from memlite.types.palace import Exchange, PalaceObject
from memlite.types.report import DistillReport, Pointer

BATCH = 128


def work(
    store: Store,
    embedder: Embedder | None,
    rules: Rules,
    bounds: Bounds,
    progress: Progress | None,
    *,
    extractor: extracting.Engine = extracting.RULES,
    redo: bool = False,
    models: bool = False,
) -> DistillReport:
    """Distil, extract and embed what waits, within bounds, and report; `redo` also does anew what older rules did.

    With `models` that takes in exchanges which a model has read for records too: it is to read them again.
    """
    started = time.monotonic()
    run = Run(store, owner(), bounds, progress)
    with store.transaction() as con:
        if redo:
            tasks.ask_to_redo(con, VERSION, bounds.project)
            records.ask_to_extract_again(con, extractor.maker, bounds.project, models=models)
        tasks.retry_failed(con, "distill", "extract", *embedding.KIND.values())
    recover(store)
    with giving_back(store, run.me):
        repeat(run, "distill", partial(_distill_some, run, rules), BATCH, bounds.within)
        repeat(run, "extract", partial(extracting.extract_some, run, extractor), extracting.BATCH, bounds.within)
        if embedder is not None:
            for layer in embedding.KIND:
                embedding.embed_waiting(run, embedder, layer)
        # Behind the vectors, so that what they would tell of two records is there already.
        updated = updating.work(updating.Run(store, embedder, progress))
    tally = run.tally
    return DistillReport(
        distilled=tally.distilled,
        embedded=tally.embedded,
        skipped=dict(sorted(tally.skipped.items())),
        failed=tally.failed,
        pending=tasks.count_tasks(store.con).pending,
        tokens_before=tally.tokens_before,
        tokens_after=tally.tokens_after,
        windows=tally.windows,
        windows_failed=dict(sorted(tally.windows_failed.items())),
        records=tally.records,
        records_refused=dict(sorted(tally.records_refused.items())),
        records_embedded=tally.records_embedded,
        updated=updated if updated.records else None,
        seconds=round(time.monotonic() - started, 3),
    )


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
