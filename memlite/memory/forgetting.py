"""Forgetting on purpose: text, and all that was made of it, so that not even its bytes are left.

All of it is one transaction. A dry run does the same work and takes it back, so its counts are no estimate. Afterwards
the write-ahead log is emptied, since it still holds the pages as they were.
"""

from collections.abc import Callable

from memlite.errors import NotFound, UsageError
from memlite.memory.intake import ask_for_work
from memlite.segment import Rules, segment
from memlite.store import dense, forgetting, lexical, transcript
from memlite.store.connection import Connection, Store
from memlite.store.forgetting import Gone, Range
from memlite.text.times import now
from memlite.types.forget import ForgetReport, Selection


def forget(store: Store, rules: Rules, selection: Selection, *, dry_run: bool) -> ForgetReport:
    """Forget what a selection reaches.

    :raises UsageError: the selection says nothing
    :raises NotFound: the store has no such exchange
    """
    if selection == Selection():
        raise UsageError("nothing is named. Name a conversation, exchange, project, source, time, speaker or query")

    def delete(con: Connection) -> Gone:
        if selection.exchange is not None and not transcript.has_exchange(con, selection.exchange):
            raise NotFound(
                f"there is no exchange {selection.exchange} in {store.path}. Search prints the ids there are"
            )
        with forgetting.choosing(con, selection):
            gone = forgetting.delete_chosen(con, now())
        for piece in gone.ranges:
            _cut_anew(con, piece, rules)
        return gone

    return _run(store, delete, dry_run=dry_run)


def forget_record(store: Store, record_id: int, *, dry_run: bool) -> ForgetReport:
    """Forget what one record states; what was said stays.

    :raises NotFound: the store has no such record
    """

    def delete(con: Connection) -> Gone:
        if not forgetting.delete_record(con, record_id, now()):
            raise NotFound(f"there is no record {record_id} in {store.path}. List them with: memlite records list")
        return Gone([], [record_id])

    return _run(store, delete, dry_run=dry_run)


def _run(store: Store, delete: Callable[[Connection], Gone], *, dry_run: bool) -> ForgetReport:
    with store.transaction() as con, forgetting.trial(con, keep=not dry_run):
        before = forgetting.count(con)
        gone = delete(con)
        after = forgetting.count(con)
    return ForgetReport(
        dry_run=dry_run,
        exchanges=len(gone.exchange_ids),
        **{name: before[name] - after[name] for name in before},
        remade=gone.remade,
        exchange_ids=tuple(gone.exchange_ids),
        record_ids=tuple(sorted(gone.record_ids)),
        log_held=not dry_run and not store.empty_log(),
    )


def _cut_anew(con: Connection, piece: Range, rules: Rules) -> None:
    """Make exchanges of what is left of a piece of a conversation, and ask for their objects and records."""
    with_verbatim_vectors = dense.has_index(con, "verbatim")
    places = transcript.places_from(con, piece.conversation_id, piece.seq_start)
    for span in segment((place for place in places if place.seq <= piece.seq_end), rules):
        exchange_id = transcript.add_exchange(con, piece.conversation_id, span)
        lexical.index(con, "fts_exchange", [exchange_id])
        ask_for_work(con, exchange_id, automated=span.automated, with_verbatim_vectors=with_verbatim_vectors)
