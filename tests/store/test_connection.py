"""Connections: one a thread, all of a transaction or none, errors that say what to do."""

import gc
import threading

import apsw
import pytest

from memlite.errors import MemliteError, StoreBusy, StoreDamaged, StoreMissing
from memlite.store.connection import Store, translated

ADD = "insert into source (kind, path) values ('generic', ?)"
COUNT = "select count(*) from source"


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "memory.db", busy_timeout_ms=50)
    yield store
    store.close()


def test_a_transaction_is_all_or_nothing(store):
    def fail():
        with store.transaction() as con:
            con.execute(ADD, ("a",))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not store.con.in_transaction
    assert store.con.execute(COUNT).get == 0
    with store.transaction() as con:
        con.execute(ADD, ("a",))
    assert store.con.execute(COUNT).get == 1


def test_a_commit_that_fails_leaves_the_connection_usable(store):
    def fail():
        with store.transaction() as con:
            con.execute("pragma defer_foreign_keys = on")
            con.execute("insert into ledger (source_id, started_at) values (99, '')")

    with pytest.raises(apsw.ConstraintError):
        fail()
    assert not store.con.in_transaction
    with store.transaction() as con:
        con.execute(ADD, ("a",))
    assert store.con.execute(COUNT).get == 1


def test_a_second_writer_waits_and_then_says_busy(store):
    other = Store(store.path, busy_timeout_ms=50)
    with store.transaction(), pytest.raises(StoreBusy, match="another process"), other.transaction():
        pass
    with other.transaction() as con:
        con.execute(ADD, ("a",))


def test_readers_see_one_snapshot_while_another_writes(store):
    other = Store(store.path)
    with store.reading() as con:
        assert con.execute(COUNT).get == 0
        with other.transaction() as writer:
            writer.execute(ADD, ("a",))
        assert con.execute(COUNT).get == 0
    assert store.con.execute(COUNT).get == 1


def test_each_thread_has_a_connection_of_its_own(store):
    patient = Store(store.path)
    seen = []

    def work(number):
        for i in range(20):
            with patient.transaction() as con:
                con.execute(ADD, (f"{number}-{i}",))
        seen.append(patient.con)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(con) for con in seen}) == 4
    assert store.con.execute(COUNT).get == 80


def test_threads_that_end_take_their_connections_with_them(store):
    # A server that starts a thread a request would else run out of file handles.
    for _ in range(5):
        thread = threading.Thread(target=lambda: store.con.execute(COUNT).get)
        thread.start()
        thread.join()
    gc.collect()
    assert len(store._opened) == 1


def test_close_folds_the_log_into_the_file(store):
    with store.transaction() as con:
        con.execute(ADD, ("a",))
    store.close()
    assert not store.path.with_name("memory.db-wal").exists()


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (apsw.BusyError, StoreBusy),
        (apsw.LockedError, StoreBusy),
        (apsw.NotADBError, StoreDamaged),
        (apsw.CorruptError, StoreDamaged),
        (apsw.IOError, StoreDamaged),
        (apsw.CantOpenError, StoreMissing),
        (apsw.ReadOnlyError, StoreMissing),
        (apsw.FullError, MemliteError),
    ],
)
def test_errors_of_sqlite_name_the_file(tmp_path, raised, expected):
    path = tmp_path / "memory.db"
    with pytest.raises(expected, match="memory.db"), translated(path):
        raise raised("bad luck")


def test_a_damaged_page_is_reported_as_damage(tmp_path):
    store = Store(tmp_path / "memory.db")
    with store.transaction() as con:
        con.executemany(ADD, ((f"{i:0500}",) for i in range(400)))
    store.close()
    content = bytearray(store.path.read_bytes())
    content[len(content) // 2 : -4096] = b"\xff" * (len(content) - 4096 - len(content) // 2)
    store.path.write_bytes(content)

    def read():
        with Store(store.path).reading() as con:
            con.execute("select count(path), max(path) from source where path like '%'").fetchall()

    with pytest.raises(StoreDamaged, match="backup"):
        read()
