"""Looking after a store: making its indexes again, and telling what it holds."""

from msgspec import structs

from memlite.memory import distilling
from memlite.memory.working import VECTORS_ONLY, Progress
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.store import dense, lexical, overview, records, tasks, upgrades
from memlite.store.connection import Store
from memlite.text import times, tokens
from memlite.types.report import DistillReport, Status


def reindex(
    store: Store, embedder: Embedder, rules: Rules, progress: Progress | None, *, vectors: bool
) -> DistillReport:
    """Make the keyword indexes again from the text, and the vectors that are missing; with `vectors`, all of them.

    :raises EmbedderMismatch: the store's vectors are another model's and `vectors` is False
    """
    with store.transaction() as con:
        lexical.rebuild(con)
        if vectors:
            layers = [layer for layer in dense.INDEX if dense.get_fingerprint(con, layer)]
            dense.drop(con)
            for layer in layers:
                dense.adopt_fingerprint(con, layer, embedder.fingerprint, times.now())
        dense.rebuild(con)
        tasks.ask_for_missing_vectors(con)
        if dense.has_index(con, "verbatim"):
            tasks.ask_for_verbatim_vectors(con)
    return distilling.work(store, embedder, rules, VECTORS_ONLY, progress)


def status(store: Store, embedder: Embedder) -> Status:
    """Return what the store holds and what still waits to be done."""
    with store.reading() as con:
        schema, sqlite, vec = overview.versions(con)
        fingerprint = dense.get_fingerprint(con, "distilled")
        return Status(
            path=str(store.path),
            schema=schema,
            sqlite=sqlite,
            vec=vec,
            size_bytes=store.path.stat().st_size,
            **overview.count(con),
            objects=overview.count_objects(con),
            records=records.count_states(con),
            record_types=records.count_types(con),
            tasks=tasks.count_tasks(con),
            accounts=overview.account(con),
            reading=overview.count_reading(con),
            upgrades=upgrades.count_upgrades(con),
            embedding=structs.asdict(fingerprint) if fingerprint else {},
            models={"embedder": embedder.fingerprint.model},
            projects=overview.count_by(con, "project"),
            sources=overview.count_by(con, "source"),
            tokens=overview.sum_tokens(con, tokens.NAME),
        )
