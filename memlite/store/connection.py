"""Opening the file: one connection a thread, set up by small functions, each with its reason; one writer transaction.

`apsw.bestpractice` is not used: it changes the connections of the whole host program and costs 80 ms to import.
"""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import apsw
import msgspec

from memlite.errors import MemliteError, StoreBusy, StoreDamaged, StoreMissing, StoreTooNew
from memlite.store import encryption, schema
from memlite.text.search_terms import index_text

Connection = apsw.Connection
LARGEST = 2**63 - 1
"""The largest whole number that SQLite can be given."""
"""For the signatures of those who pass a connection on without speaking SQL themselves."""

CACHE_KIB = 32_768


def bounded(number: int) -> int:
    """Return a number that SQLite can be given: no row has a larger id, and no store more rows."""
    return max(-LARGEST, min(number, LARGEST))


def id_list(ids: Iterable[int]) -> str:
    """Return ids as the JSON list that `json_each(?)` takes: one parameter, however many there are."""
    return msgspec.json.encode(list(ids)).decode()


def wait_for_locks(con: apsw.Connection, busy_timeout_ms: int) -> None:
    """Wait for others' locks. First of all, since every other setting may meet one."""
    con.set_busy_timeout(busy_timeout_ms)


def _enforce_keys(con: apsw.Connection) -> None:
    con.pragma("foreign_keys", True)


def _forget_for_real(con: apsw.Connection) -> None:
    # Freed pages are overwritten with zeros. It is a setting of the connection, so every writer needs it.
    con.pragma("secure_delete", True)


def _refuse_double_quoted_strings(con: apsw.Connection) -> None:
    con.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    con.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)


def keep_temporary_text_in_memory(con: apsw.Connection) -> None:
    """Let no text of the store reach a temporary file, which nobody encrypts or deletes for sure."""
    con.pragma("temp_store", 2)


def _survive_power_cuts(con: apsw.Connection) -> None:
    # A commit is on the disk when it returns. NORMAL would lose the last ones in a power cut.
    con.pragma("synchronous", 2)


def _size_cache(con: apsw.Connection) -> None:
    con.pragma("cache_size", -CACHE_KIB)


def register_functions(con: apsw.Connection) -> None:
    """Give SQL the functions that the schema's views call."""
    con.create_scalar_function("search_text", _search_text, 1, deterministic=True)
    con.create_scalar_function("folded", _folded, 1, deterministic=True)


def _search_text(*values: "apsw.SQLiteValue") -> str:
    return index_text(str(values[0])) if values[0] is not None else ""


def _folded(*values: "apsw.SQLiteValue") -> str:
    # SQLite's own lower() knows the letters of ASCII only.
    return str(values[0]).casefold()


def load_vec0(con: apsw.Connection) -> None:
    """Load the extension for vectors. By its path: importing sqlite_vec pulls in numpy (130 ms)."""
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise StoreDamaged("the package sqlite-vec is not installed. Install it with: pip install sqlite-vec")
    con.enable_load_extension(True)
    con.load_extension(str(Path(spec.submodule_search_locations[0]) / "vec0"))
    con.enable_load_extension(False)


SETUP: tuple[Callable[[apsw.Connection], None], ...] = (
    _enforce_keys,
    _survive_power_cuts,
    _forget_for_real,
    _refuse_double_quoted_strings,
    keep_temporary_text_in_memory,
    _size_cache,
    register_functions,
    load_vec0,
)


class Store:
    """The database file. Safe to share between threads: each gets a connection of its own."""

    def __init__(self, path: Path, *, create: bool = True, busy_timeout_ms: int = 10_000, key: str = "") -> None:
        """Open the store at `path`, making or migrating it when needed; with a `key` a new one is encrypted.

        :raises StoreMissing: no file there and `create` is False, or its folder does not exist
        :raises StoreDamaged: the file is not a memlite store or cannot be read
        :raises StoreLocked: the file is encrypted, and `key` is not its key
        :raises StoreTooNew: the file was written by a newer memlite
        :raises StoreBusy: another process held the file locked for longer than the busy timeout
        """
        self.path = path
        self._busy_timeout_ms = busy_timeout_ms
        self._key = key
        self._local = threading.local()
        # Weakly, so that the connection of a thread that has ended is closed with it.
        self._opened: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._closed = False
        _prepare_file(path, create)
        with translated(path):
            _migrate(self.con, path, busy_timeout_ms)

    @property
    def con(self) -> apsw.Connection:
        """This thread's connection, opened at first use."""
        con: apsw.Connection | None = getattr(self._local, "con", None)
        if con is None:
            if self._closed:
                raise MemliteError(f"the store at {self.path} is closed. Open it again with memlite.open")
            with translated(self.path):
                con = _connect(self.path, self._busy_timeout_ms, self._key)
            self._local.con = con
            with self._lock:
                self._opened.add(con)
        return con

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """Run a block as one writing transaction: all of it is committed, or none.

        The write lock is taken at the start, so a block never fails half-way for want of it. Keep models out of it.

        :raises StoreBusy: another process held the lock longer than the busy timeout
        """
        con = self.con
        with translated(self.path):
            con.execute("begin immediate")
            try:
                yield con
                con.execute("commit")
            except BaseException:
                # A commit can fail too (a full disk), and leaves the transaction open.
                if con.in_transaction:
                    con.execute("rollback")
                raise

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Run a block of reads on one snapshot, with SQLite's errors turned into memlite's."""
        con = self.con
        with translated(self.path):
            if con.in_transaction:
                yield con
                return
            con.execute("begin")
            try:
                yield con
            finally:
                if con.in_transaction:
                    con.execute("commit")

    @property
    def key(self) -> str:
        """The key that opens the file, or ""."""
        return self._key

    def rekey(self, key: str) -> None:
        """Encrypt the file with another key; an empty one decrypts it. Other threads open their connections anew.

        :raises StoreBusy: somebody else has the file open
        :raises StoreLocked: this build of SQLite cannot encrypt
        """
        encryption.require(self.path)
        con = self.con
        with self._lock, translated(self.path):
            for other in [other for other in self._opened if other is not con]:
                other.close()
            encryption.change_key(con, key)
        self._key = key

    def empty_log(self) -> bool:
        """Fold the write-ahead log into the file and cut it to nothing, so that no older state of a page is left.

        False when another process still reads such a state after the busy timeout.
        """
        try:
            self.con.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            return False
        return True

    def close(self) -> None:
        """Close every thread's connection. SQLite folds the write-ahead log into the file with the last one."""
        with self._lock:
            for con in self._opened:
                con.close()
            self._opened.clear()
            self._closed = True
        self._local = threading.local()


def _prepare_file(path: Path, create: bool) -> None:
    if path.is_dir():
        raise StoreMissing(f"{path} is a folder, not a store. Give the path of a file")
    if path.exists():
        return
    if not create:
        raise StoreMissing(f"there is no store at {path}. Make one with: memlite --db {path} init")
    if not path.parent.is_dir():
        raise StoreMissing(f"the folder {path.parent} does not exist. Make it, or give another path")
    try:
        # Only the owner may read a memory; SQLite gives its -wal and -shm files the same mode.
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreMissing(f"cannot create {path}: {error.strerror}. Give a folder you may write to") from error


def _connect(path: Path, busy_timeout_ms: int, key: str) -> apsw.Connection:
    con = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    wait_for_locks(con, busy_timeout_ms)
    encryption.unlock(con, path, key)
    for step in SETUP:
        step(con)
    return con


def _migrate(con: apsw.Connection, path: Path, busy_timeout_ms: int) -> None:
    """Bring the file to the newest schema, one transaction a step; a file that is there already is only read."""
    newest = len(schema.STEPS)
    empty = not con.execute("select exists (select 1 from sqlite_schema)").get
    if con.pragma("application_id") != schema.APPLICATION_ID and not empty:
        raise StoreDamaged(f"{path} is an SQLite file, but not a memlite store. Give another path")
    version = con.pragma("user_version")
    if version > newest:
        raise StoreTooNew(
            f"{path} has schema version {version}, this memlite knows versions up to {newest}. Upgrade memlite"
        )
    if version == newest:
        return
    _use_wal(con, time.monotonic() + busy_timeout_ms / 1000)
    for number in range(version, newest):
        con.execute("begin immediate")
        try:
            # Another process may have been here while this one waited for the lock.
            if con.pragma("user_version") == number:
                for statement in schema.STEPS[number]:
                    con.execute(statement)
                con.pragma("application_id", schema.APPLICATION_ID)
                con.pragma("user_version", number + 1)
            con.execute("commit")
        except BaseException:
            if con.in_transaction:
                con.execute("rollback")
            raise


def _use_wal(con: apsw.Connection, deadline: float) -> None:
    # Switching the journal does not wait for locks as other statements do, so the waiting is done here.
    while True:
        try:
            con.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into memlite's, which name the file, the cause and the next step."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy(f"{path} is being written by another process ({error}). Try again when it is done") from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise StoreDamaged(f"{path} cannot be read as a store: {error}. Restore it from a backup") from error
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.ReadOnlyError) as error:
        raise StoreMissing(f"cannot open {path} for writing: {error}. Check the path and its permissions") from error
    except apsw.FullError as error:
        raise MemliteError(f"the disk that holds {path} is full: {error}. Free some space, then go on") from error
    except apsw.IOError as error:
        raise StoreDamaged(f"reading or writing {path} failed: {error}. Check the disk") from error
