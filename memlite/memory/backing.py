"""Copies of a store: a backup that is known to be good when it has its name, and the way back from one.

A backup is written under another name, read through from end to end, and renamed when it holds what the store held.
Going back first keeps what is there: as a copy while it can be read, else the file itself, moved aside.
"""

import os
from datetime import datetime
from pathlib import Path

from memlite.errors import StoreDamaged, StoreMissing, UsageError
from memlite.store import encryption, raw
from memlite.store.connection import Store
from memlite.types.report import BackupReport


def back_up(store: Store, target: Path, busy_timeout_ms: int, *, force: bool = False) -> BackupReport:
    """Copy a store that may be in use to `target`, and read the copy through; with `force` over an earlier one.

    :raises UsageError: `target` is there already, or is the store itself
    :raises StoreDamaged: the copy does not hold what the store held; it is deleted
    """
    _check_target(store.path, target, force)
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        with store.reading() as con:
            expected = raw.counts(con)
            raw.copy(con, part, store.key)
        _verify(part, store.key, busy_timeout_ms, expected)
        _to_disk(part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return _report(target, expected)


def restore(path: Path, source: Path, key: str, busy_timeout_ms: int) -> BackupReport:
    """Put a backup in the place of the store at `path`; what was there is kept beside it.

    Processes that have the store open go on with what was restored, as after any other change.

    :raises StoreMissing: there is no backup
    :raises StoreDamaged: the backup is damaged or no store; nothing is changed
    :raises StoreTooNew: the backup was made by a newer memlite
    :raises StoreBusy: somebody else writes to the store
    """
    if path.exists() and source.exists() and path.samefile(source):
        raise UsageError(f"{source} is the store itself. Give the path of a backup")
    with raw.opened(source, key, busy_timeout_ms) as con:
        raw.check(con, source)
        expected = raw.counts(con)
        safety = _keep_aside(path, source, key, busy_timeout_ms) if path.exists() else None
        raw.copy(con, path, key if encryption.needs_key(source) else "")
    _verify(path, key, busy_timeout_ms, expected)
    return _report(path, expected, safety)


def _check_target(store: Path, target: Path, force: bool) -> None:
    if not target.parent.is_dir():
        raise StoreMissing(f"the folder {target.parent} does not exist. Make it, or give another path")
    if target.is_dir():
        raise UsageError(f"{target} is a folder. Give the path of a file")
    if not target.exists():
        return
    if target.samefile(store):
        raise UsageError(f"{target} is the store itself. Give another path")
    if not force:
        raise UsageError(f"there is a file at {target} already. Give another path, or --force to replace it")


def _verify(path: Path, key: str, busy_timeout_ms: int, expected: dict[str, int]) -> None:
    with raw.opened(path, key, busy_timeout_ms) as con:
        raw.check(con, path)
        found = raw.counts(con)
    if found != expected:
        raise StoreDamaged(f"the copy at {path} holds {found}, not {expected}. Try again, or use another disk")


def _keep_aside(path: Path, source: Path, key: str, busy_timeout_ms: int) -> Path:
    """Keep what is at `path` under another name. A store that can be read stays in its place, as its users have it."""
    safety = path.with_name(f"{path.stem}.before-restore-{datetime.now():%Y%m%d-%H%M%S-%f}{path.suffix}")
    try:
        with raw.opened(path, key, busy_timeout_ms) as con:
            raw.check(con, path)
            if encryption.needs_key(path) == encryption.needs_key(source):
                raw.copy(con, safety, key if encryption.needs_key(path) else "")
                return safety
    except StoreDamaged:
        safety.unlink(missing_ok=True)
    for file in (path, *raw.side_files(path)):
        file.rename(safety.with_name(safety.name + file.name.removeprefix(path.name)))
    return safety


def _to_disk(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _report(path: Path, counts: dict[str, int], safety: Path | None = None) -> BackupReport:
    return BackupReport(
        path=str(path),
        size_bytes=path.stat().st_size,
        conversations=counts["conversations"],
        messages=counts["messages"],
        exchanges=counts["exchanges"],
        safety_copy=str(safety) if safety else None,
    )
