"""Is a store well, and what can be done about it? Looking changes nothing, and works on what is too broken to open.

Mending makes again what is made of the text, in one transaction. A file in which SQLite finds damage is not written to
at all: what can be read of it goes into a new file, and the damaged one stays what it is, the only copy (P3).
"""

import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from msgspec import structs

from memlite.errors import MemliteError, ModelUnusable, StoreDamaged, StoreLocked, StoreMissing, UsageError
from memlite.memory import surroundings
from memlite.memory.intake import regroup
from memlite.models import catalog
from memlite.models.base import Embedder
from memlite.segment import Rules
from memlite.store import encryption, examine, overview, raw, salvage
from memlite.store.connection import Connection, Store
from memlite.types.findings import Examination, Finding, Salvage

DAMAGE = ("sqlite", "file", "length")
"""Checks whose errors mean that a file must not be written to."""


def look(path: Path, key: str, embedder: Embedder, busy_timeout_ms: int) -> Examination:
    """Look at a store, its file and its models.

    :raises StoreMissing: there is no file
    :raises StoreLocked: it is encrypted, and `key` is not its key
    """
    if not path.is_file():
        raise StoreMissing(f"there is no store at {path}. Make one with: memlite --db {path} init")
    findings = surroundings.look(path)
    try:
        with raw.opened(path, key, busy_timeout_ms, however_damaged=True) as con:
            findings += [*_versions(con), *examine.examine(con, embedder.fingerprint)]
    except StoreLocked:
        raise
    except MemliteError as error:
        what, _, remedy = str(error).rpartition(". ")
        findings.append(Finding("file", "error", what, remedy, mends=isinstance(error, StoreDamaged)))
    return Examination(str(path), (*findings, *_models(embedder)))


def mend(path: Path, key: str, embedder: Embedder, busy_timeout_ms: int, rules: Rules) -> Examination:
    """Look, do what can be done, and look again.

    :raises UsageError: the file that a salvage would write is there already
    """
    found = look(path, key, embedder, busy_timeout_ms)
    if any(one.severity == "error" and one.check in DAMAGE for one in found.findings):
        saved = _salvage(path, key, busy_timeout_ms, rules)
        nothing = (Finding("salvage", "error", "nothing of the file can be read", "memlite restore BACKUP"),)
        return structs.replace(found, salvage=saved, findings=found.findings + (() if saved else nothing))
    if not any(one.mends for one in found.findings):
        return found
    done = _mend(path, key, busy_timeout_ms, rules)
    return structs.replace(look(path, key, embedder, busy_timeout_ms), mended=done)


def _mend(path: Path, key: str, busy_timeout_ms: int, rules: Rules) -> tuple[str, ...]:
    store = Store(path, create=False, busy_timeout_ms=busy_timeout_ms, key=key)
    try:
        with store.transaction() as con:
            regrouped = examine.ungroup(con)
            done = examine.mend(con)
            for conversation_id in regrouped:
                regroup(con, conversation_id, rules)
    finally:
        store.close()
    return (*done, f"{len(regrouped):,} conversations grouped into exchanges again") if regrouped else done


def _salvage(path: Path, key: str, busy_timeout_ms: int, rules: Rules) -> Salvage | None:
    """Read what can be read into a new file; None when the file cannot be opened at all."""
    target = path.with_name(f"{path.stem}.salvaged{path.suffix}")
    if target.exists():
        raise UsageError(
            f"{target} is there from an earlier time. Move it away, or look at it: it may be what you need"
        )
    key = key if encryption.needs_key(path) else ""
    try:
        with raw.opened(path, key, busy_timeout_ms, however_damaged=True) as damaged:
            raw.make_private(target)
            with raw.opened(target, key, busy_timeout_ms) as new:
                copied = salvage.salvage(damaged, new)
    except MemliteError:
        copied = None
    if copied is None or not copied.rows.get("message"):
        target.unlink(missing_ok=True)
        return None
    _mend(target, key, busy_timeout_ms, rules)
    return Salvage(str(target), copied.rows, copied.lost, copied.unread)


def _versions(con: Connection) -> Iterator[Finding]:
    _, sqlite, vec = overview.versions(con)
    cipher = "can encrypt" if encryption.AVAILABLE else "cannot encrypt"
    programs = f"memlite {version('memlite')}, Python {platform.python_version()}, SQLite {sqlite} ({cipher})"
    yield Finding("versions", "ok", f"{programs}, sqlite-vec {vec}")


def _models(embedder: Embedder) -> Iterator[Finding]:
    try:
        embedder.embed_query("Is anybody there?")
        yield Finding("models", "ok", f"vectors are made by {embedder.fingerprint.model}")
    except ModelUnusable as error:
        yield Finding("models", "error", str(error), "Search with --mode verbatim meanwhile")
    try:
        yield Finding("models", "ok", f"the language model is {catalog.describe().name}")
    except ModelUnusable as error:
        yield Finding("models", "note", f"there is no language model, so rules distil alone: {error}")
