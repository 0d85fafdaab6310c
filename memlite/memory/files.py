"""Importing files and folders: what is new since last time is read, everything is accounted for."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from memlite import importers
from memlite.errors import BadTranscript
from memlite.importers import Format
from memlite.importers.export import SOURCE as EXPORT
from memlite.importers.generic import SOURCE as GENERIC
from memlite.memory import porting
from memlite.memory.intake import Counts, Intake
from memlite.segment import Rules
from memlite.store import ledger
from memlite.store.connection import Store
from memlite.store.ledger import Tail
from memlite.types.report import ImportReport
from memlite.types.transcript import Skip

CHUNK = 1 << 20
FOLDER = "folder"
"""The kind of source under which files that are no transcripts are accounted for."""

Progress = Callable[[str, int, int], None]
"""(path, files done, files in all)"""


def import_path(
    store: Store,
    rules: Rules,
    path: Path,
    *,
    subagents: bool = False,
    allow_reimport: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Import a file, or every transcript under a folder.

    :raises BadTranscript: there is nothing at the path
    """
    if not path.exists():
        raise BadTranscript(f"there is no file or folder at {path}. Check the path")
    found = list(importers.walk(path, subagents=subagents))
    reports: list[ImportReport] = []
    aside: list[tuple[Path, Skip]] = []
    for done, (file, form) in enumerate(found):
        if progress:
            progress(str(file), done, len(found))
        if isinstance(form, Skip):
            aside.append((file, form))
        else:
            reports.append(_import_file(store, rules, file, form, subagents, allow_reimport))
    if progress:
        progress(str(path), len(found), len(found))
    if aside:
        reports.append(_account_aside(store, rules, path, aside))
    return total(reports)


def add_messages(
    store: Store,
    rules: Rules,
    messages: Iterable[Mapping[str, object]],
    *,
    conversation: str,
    project: str,
    title: str,
    allow_reimport: bool = False,
) -> ImportReport:
    """Store messages that a program holds as dicts."""
    intake = Intake(store, rules, GENERIC, "", keep_ids=True, allow_reimport=allow_reimport)
    intake.take(importers.from_messages(messages, conversation=conversation, project=project, title=title))
    return intake.counts.report()


def import_stream(
    store: Store, rules: Rules, stream: BinaryIO, name: str, *, allow_reimport: bool = False
) -> ImportReport:
    """Import what a seekable stream holds, in any format; `name` stands in for a conversation id it does not give.

    :raises BadTranscript: the stream is in no format that memlite reads
    """
    form = importers.identify(stream)
    if isinstance(form, Skip):
        raise BadTranscript(f"cannot import {name}: {form.reason}. Give messages as JSON or JSONL, or a transcript")
    if form.source == EXPORT:
        stream.seek(0)
        return porting.import_export(store, rules, stream, "", allow_reimport=allow_reimport)
    intake = Intake(store, rules, form.source, "", allow_reimport=allow_reimport)
    intake.take(importers.read(stream, form, name=name))
    return intake.counts.report()


def _import_file(
    store: Store, rules: Rules, file: Path, form: Format, subagents: bool, allow_reimport: bool
) -> ImportReport:
    path = os.path.realpath(file)
    if form.source == EXPORT:
        with file.open("rb") as stream:
            return porting.import_export(store, rules, stream, path, allow_reimport=allow_reimport)
    intake = Intake(store, rules, form.source, path, allow_reimport=allow_reimport)
    before = ledger.get_tail(store.con, form.source, path)
    with file.open("rb") as stream:
        stat = os.fstat(stream.fileno())
        prefix = _hashed(stream, 0, before.offset, blake2b(digest_size=16))
        # What may come back lies in what was read before.
        unchanged = before.offset and prefix.hexdigest() == before.prefix_digest and not allow_reimport
        known = before if unchanged else None
        reading = importers.Progress(known.offset, known.line) if known and form.grows else importers.Progress()

        def come_this_far(counts: Counts) -> Tail:
            end = reading.offset if form.grows else stat.st_size
            start, hasher = (known.offset, prefix) if known else (0, blake2b(digest_size=16))
            digest = _hashed(stream, start, end, hasher).hexdigest()
            kept, skipped = _counts_upto(counts, reading.lines) if form.grows else _all(counts)
            return Tail(stat.st_size, stat.st_mtime_ns, end, reading.lines, digest, kept, skipped)

        if known and not form.grows and known.offset == stat.st_size:
            intake.take((), known)
        else:
            # A format that does not grow is read whole; what is stored already shows as duplicate by itself.
            items = importers.read(file, form, progress=reading, subagents=subagents)
            intake.take(items, known if form.grows else None, come_this_far)
    return intake.counts.report()


def _hashed(stream: BinaryIO, start: int, end: int, hasher: "blake2b") -> "blake2b":
    """Feed the bytes from `start` to `end` to a hash; fewer when the file is shorter by now."""
    stream.seek(start)
    while start < end and (chunk := stream.read(min(CHUNK, end - start))):
        hasher.update(chunk)
        start += len(chunk)
    return hasher


def _all(counts: Counts) -> tuple[int, dict[str, int]]:
    return counts.stored + counts.duplicate, dict(counts.skipped)


def _counts_upto(counts: Counts, line: int) -> tuple[int, dict[str, int]]:
    """Return records kept and skipped up to a line; only the last one can lie behind it, as it may still be written."""
    kept, skipped = _all(counts)
    last_line, reason = counts.last
    if last_line <= line:
        return kept, skipped
    if not reason:
        return kept - 1, skipped
    return kept, dict(+(Counter(skipped) - Counter([reason])))


def _account_aside(store: Store, rules: Rules, root: Path, aside: Sequence[tuple[Path, Skip]]) -> ImportReport:
    """Account for files that are no transcripts, one record each; those worth a look are named."""
    intake = Intake(store, rules, FOLDER, os.path.realpath(root))
    for file, skip in aside:
        intake.counts.skip(str(file), skip)
    intake.take(())
    return intake.counts.report()


def total(reports: Sequence[ImportReport]) -> ImportReport:
    """Return the sums of several reports."""
    if len(reports) == 1:
        return reports[0]
    return ImportReport(
        records_in=sum(report.records_in for report in reports),
        stored=sum(report.stored for report in reports),
        duplicate=sum(report.duplicate for report in reports),
        skipped=_summed(report.skipped for report in reports),
        conversations=sum(report.conversations for report in reports),
        exchanges=sum(report.exchanges for report in reports),
        issues=tuple(issue for report in reports for issue in report.issues),
        dropped=_summed(report.dropped for report in reports),
        message_ids=tuple(id for report in reports for id in report.message_ids),
        exchange_ids=tuple(id for report in reports for id in report.exchange_ids),
    )


def _summed(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    whole: Counter[str] = Counter()
    for part in parts:
        whole.update(part)
    return dict(sorted(whole.items()))
