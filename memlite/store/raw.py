"""A file as it is: opened without making, migrating or believing it, for those who copy and examine stores.

Also the copying itself. SQLite's online backup takes all pages in one step, from one snapshot: in WAL mode nobody has
to wait for it, and what is written meanwhile is not in the copy.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from memlite.errors import StoreDamaged, StoreMissing, StoreTooNew
from memlite.store import encryption, overview, schema
from memlite.store.connection import (
    keep_temporary_text_in_memory,
    load_vec0,
    register_functions,
    translated,
    wait_for_locks,
)

SIDE_FILES = ("-wal", "-shm", "-journal")
MOST_FAULTS = 20
"""Faults that SQLite is asked for: enough to see what kind of damage it is."""


@contextmanager
def opened(path: Path, key: str, busy_timeout_ms: int, *, however_damaged: bool = False) -> Iterator[apsw.Connection]:
    """Give a connection to a file, whatever its state; SQLite's errors become memlite's.

    `however_damaged` also lets read a file that is shorter than its header says, and then only read.

    :raises StoreMissing: there is no file
    :raises StoreLocked: it is encrypted, and `key` is not its key
    """
    if not path.is_file():
        raise StoreMissing(f"there is no file at {path}. Check the path")
    with translated(path), closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as con:
        wait_for_locks(con, busy_timeout_ms)
        # With this SQLite no longer refuses a file that is cut off; nobody writes to its schema.
        con.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, int(however_damaged))
        encryption.unlock(con, path, key)
        con.pragma("query_only", int(however_damaged))
        keep_temporary_text_in_memory(con)
        register_functions(con)
        load_vec0(con)
        yield con


def check(con: apsw.Connection, path: Path) -> int:
    """Return the schema version of a sound store.

    :raises StoreDamaged: it is no store, or SQLite finds faults in it
    :raises StoreTooNew: it was written by a newer memlite
    """
    if con.pragma("application_id") != schema.APPLICATION_ID:
        raise StoreDamaged(f"{path} is not a memlite store. Give another path")
    version: int = con.pragma("user_version")
    if version > len(schema.STEPS):
        raise StoreTooNew(
            f"{path} has schema version {version}, this memlite knows versions up to {len(schema.STEPS)}. "
            "Upgrade memlite"
        )
    if found := faults(con):
        raise StoreDamaged(f"{path} is damaged: {found[0]}. See what can be saved with: memlite --db {path} doctor")
    return version


def faults(con: apsw.Connection) -> list[str]:
    """Return what SQLite finds wrong with a file; a file too broken for its check is told by the error."""
    try:
        found = [str(text) for (text,) in con.execute(f"pragma integrity_check({MOST_FAULTS})")]
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError) as error:
        return [str(error)]
    return [] if found == ["ok"] else [line for text in found for line in text.splitlines()]


def copy(source: apsw.Connection, target: Path, key: str) -> None:
    """Write the pages that `source` sees into a file, in one transaction; a file that is not there is made, 0600."""
    make_private(target)
    with translated(target), closing(apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)) as con:
        if key:
            encryption.require(target)
            con.pragma("key", key)
        with con.backup("main", source, "main") as backup:
            backup.step(-1)


def counts(con: apsw.Connection) -> dict[str, int]:
    """Return how many rows of the verbatim layer there are, by table."""
    return overview.count(con)


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, where there is none."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreMissing(f"cannot create {path}: {error.strerror}. Give a folder you may write to") from error


def side_files(path: Path) -> list[Path]:
    """Return the log and the journals that stand beside a file."""
    return [side for end in SIDE_FILES if (side := path.with_name(path.name + end)).exists()]
