"""The file: what it holds, who may read it, what it refuses."""

import gzip
import sqlite3
import stat
from contextlib import closing

import apsw
import pytest

from memlite.errors import StoreDamaged, StoreMissing, StoreTooNew
from memlite.memory import Memory
from memlite.store import records, schema
from memlite.store.connection import Store
from memlite.store.records import Maker, Sourced
from memlite.types.records import Record
from tests.embedders import WordEmbedder

ORDINARY = {
    *("source", "conversation", "message", "tool_use", "exchange"),
    *("palace_object", "room", "room_object", "file_touched", "upgrade"),
    *("record", "record_source", "record_keyword", "model_reading"),
    *("task", "ledger", "issue", "embedding", "vector"),
    *("validity", "decision", "record_trait", "update_queue", "update_run"),
    *("tombstone", "tombstone_key", "forgetting"),
}
MAY_BE_EMPTY = {
    *("issue", "task", "upgrade", "model_reading", "decision", "update_queue", "update_run", "tombstone", "forgetting"),
}
PLAIN_VIEWS = {"exchange_turn", "exchange_text", "record_exchange"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def filled(memory, talk):
    tools = [{"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "/app/pool.py"}}]
    asked, answered = talk(
        "Why does the connection pool in /app/pool.py time out?", "It was set to 5 connections only."
    )
    memory.add([asked, {**answered, "content": [{"type": "text", "text": answered["content"]}, *tools]}], project="app")
    memory.distill()
    stated = Record("The pool had 5 connections.", "fact", 1, 0, 10, keywords=("connections",))
    with memory._store.transaction() as con:
        records.replace_records(con, 1, 1, [Sourced(stated, 2)], Maker("extractive", "", "by hand"), "2026-05-03")
    memory.distill()
    return memory


def statements(con):
    return {(kind, name): sql for kind, name, sql in con.execute("select type, name, sql from sqlite_schema")}


def test_a_fresh_file_has_the_newest_schema(path):
    store = Store(path)
    con = store.con
    assert con.pragma("user_version") == len(schema.STEPS)
    assert con.pragma("application_id") == schema.APPLICATION_ID
    assert con.pragma("journal_mode") == "wal"
    assert {name for kind, name in statements(con) if kind == "table"} >= ORDINARY | set(schema.DERIVED)


def test_only_the_owner_may_read_a_store(path):
    store = Store(path)
    with store.transaction() as con:
        con.execute("insert into source (kind, path) values ('generic', '')")
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        assert stat.S_IMODE(path.with_name(name).stat().st_mode) == 0o600


def test_every_connection_is_set_up_alike(path):
    for con in (Store(path).con, Store(path).con):
        settings = {name: con.pragma(name) for name in ("foreign_keys", "secure_delete", "synchronous", "temp_store")}
        assert settings == {"foreign_keys": 1, "secure_delete": 1, "synchronous": 2, "temp_store": 2}
        with pytest.raises(apsw.SQLError):
            con.execute('select "no such column"')


def test_fts_tables_forget_for_real(path):
    con = Store(path).con
    for table in schema.DERIVED:
        assert con.execute(f"select v from {table}_config where k = 'secure-delete'").get == 1


def test_opening_again_writes_nothing(path):
    Store(path).close()
    before = path.read_bytes()
    Store(path).close()
    assert path.read_bytes() == before


def test_a_newer_file_is_refused_with_both_versions_and_left_alone(path):
    store = Store(path)
    store.con.pragma("user_version", 99)
    store.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=rf"version 99\b.*up to {len(schema.STEPS)}\b"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, 1, 70])
def test_another_programs_database_is_refused_and_left_alone(path, version):
    other = sqlite3.connect(path)
    other.execute("create table notes (text)")
    other.execute(f"pragma user_version = {version}")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="not a memlite store"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"Dear diary, " * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="memory.db"):
        Store(path)
    assert path.read_bytes() == content


def test_a_store_that_is_not_there(path):
    with pytest.raises(StoreMissing, match="init"):
        Store(path, create=False)
    assert not path.exists()
    with pytest.raises(StoreMissing, match="folder"):
        Store(path / "deeper" / "memory.db")
    with pytest.raises(StoreMissing, match="folder"):
        Store(path.parent)


def test_a_step_that_fails_leaves_nothing_behind(path, monkeypatch):
    Store(path).close()
    step = (
        "create table extra (id integer primary key) strict",
        "create virtual table fts_extra using fts5 (text)",
        "create virtual table vec_extra using vec0 (embedding float[4])",
        "insert into source (kind, path) values ('x', 'y')",
        "select no_such_function()",
    )
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))
    with pytest.raises(apsw.SQLError, match="no_such_function"):
        Store(path)
    monkeypatch.undo()
    con = Store(path).con
    assert con.pragma("user_version") == len(schema.STEPS)
    assert not [name for _, name in statements(con) if "extra" in name]
    assert con.execute("select count(*) from source").get == 0


def test_a_new_step_is_applied_once_to_an_old_file(path, monkeypatch):
    Store(path).close()
    step = ("create table extra (id integer primary key) strict", "insert into extra values (1)")
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))
    for _ in range(2):
        store = Store(path)
        assert store.con.pragma("user_version") == len(schema.STEPS)
        assert store.con.execute("select count(*) from extra").get == 1
        store.close()


def test_stock_sqlite_reads_every_ordinary_table_and_plain_view(filled):
    asked = filled.get(1).messages[0].role
    filled.close()
    stock = sqlite3.connect(filled.path)
    tables = {name for (name,) in stock.execute("select name from sqlite_schema where type = 'table'")}
    assert tables >= ORDINARY
    own = {name for name in tables if not name.startswith(("fts_", "vec_", "sqlite_"))}
    assert own == ORDINARY
    for name in ORDINARY | PLAIN_VIEWS:
        rows = stock.execute(f"select * from {name}").fetchall()
        assert rows or name in MAY_BE_EMPTY, name
    (text,) = stock.execute("select text from exchange_text").fetchone()
    assert text == asked + ": " + "\n\n".join(
        ["Why does the connection pool in /app/pool.py time out?", "assistant: It was set to 5 connections only."]
    )
    stock.close()


def test_all_ordinary_tables_are_strict(con):
    strict = {name: flag for _, name, kind, _, _, flag in con.execute("pragma table_list") if kind == "table"}
    assert {name for name in ORDINARY if not strict[name]} == set()


@pytest.mark.parametrize("table", ["message", "tool_use"])
def test_verbatim_rows_cannot_be_updated(filled, con, table):
    before = con.execute(f"select * from {table}").fetchall()
    assert before
    columns = [row[1] for row in con.execute(f"pragma table_info({table})")]
    for column in columns:
        with pytest.raises(apsw.ConstraintError, match="cannot be updated"):
            con.execute(f"update {table} set {column} = {column}")
    assert con.execute(f"select * from {table}").fetchall() == before


@pytest.mark.parametrize(
    "statement",
    [
        "insert into conversation (source_id, kind, external_id, style, added_at) values (1, 'g', 'x', 'crowd', '')",
        "insert into conversation (source_id, kind, external_id, added_at) values (99, 'g', 'x', '')",
        "insert into conversation (source_id, kind, external_id, added_at) values (1, 'generic', 'default', '')",
        "insert into room (type, key, label, project) values ('attic', 'k', 'l', '')",
        "insert into room (type, key, label, project) values ('file', x'00', 'l', '')",
        "update palace_object set exchange_core = ''",
        "update palace_object set engine = 'magic'",
        "update palace_object set tokens_after = 'many'",
        "update room_object set relevance = 1.5",
        "update room_object set relevance = -0.1",
        "update file_touched set action = 'licked'",
        "insert into task (exchange_id, kind, state) values (1, 'bake', 'pending')",
        "update record set type = 'rumour'",
        "update record set content = ''",
        "update record set state = 'doubtful'",
        "update record set engine = 'external'",
        "update record set confidence = 1.2",
        "update record set keywords = '{}'",
        "update record set time_start = '2023-05'",
        "update record set time_start = '2023-05', time_from = '2023-05-02'",
        "update record set time_end = '2023-05', time_until = '2023-05-30'",
        "update record set time_start = '2023-02', time_from = '2023-02-30'",
        "update record set time_start = '2023', time_from = '2023-01-01', time_end = '2022', time_until = '2022-12-31'",
        "update record_source set span_end = span_start",
        "update record_source set message_id = 99",
        "insert into record_keyword select * from record_keyword",
        "insert into upgrade values (99, 'gguf', '', '', '', '{}', 0.0, '')",
        "insert into upgrade values (1, 'extractive', '', '', '', '{}', 0.0, '')",
        "insert into task (exchange_id, kind, state) values (1, 'embed', 'maybe')",
        "insert into task (exchange_id, kind, state) values (99, 'embed', 'pending')",
        "insert into exchange (conversation_id, ply_start, ply_end, seq_start, seq_end, part, automated) "
        "values (1, 0, 1, 0, 1, 0, '')",
    ],
)
def test_wrong_values_are_refused(filled, con, statement):
    assert con.execute("select count(*) from room_object").get
    assert con.execute("select count(*) from file_touched").get
    assert con.execute("select min(time_start is null) from record join record_keyword on record_id = id").get
    with pytest.raises(apsw.ConstraintError):
        con.execute(statement)


def test_deleting_an_object_takes_its_rooms_and_files_along(filled, con):
    con.execute("delete from palace_object")
    assert con.execute("select count(*) from room_object").get == 0
    assert con.execute("select count(*) from file_touched").get == 0


@pytest.fixture
def first_version(path, pytestconfig):
    """A store as the first version wrote it, open to stock SQLite."""
    old = pytestconfig.rootpath / "tests" / "legacy" / "v1.db.gz"
    path.write_bytes(gzip.decompress(old.read_bytes()))
    with closing(sqlite3.connect(path)) as con:
        yield con


def test_an_old_file_becomes_what_a_fresh_one_is(first_version, path, tmp_path):
    old, fresh = Store(path).con, Store(tmp_path / "fresh.db").con
    made_by_vectors = {key for key in statements(old) if key[1].startswith(("vec_", "sqlite_autoindex_vec_"))}
    made_by_vectors.add(("table", "sqlite_sequence"))
    assert {key: sql for key, sql in statements(old).items() if key not in made_by_vectors} == statements(fresh)
    assert old.pragma("user_version") == fresh.pragma("user_version") == len(schema.STEPS)


@pytest.mark.parametrize("version", [1, 3])
def test_a_file_of_every_version_is_opened_and_searched(version, path, pytestconfig):
    old = pytestconfig.rootpath / "tests" / "legacy" / f"v{version}.db.gz"
    path.write_bytes(gzip.decompress(old.read_bytes()))
    with Memory(path, embedder=WordEmbedder()) as memory:
        hits = memory.search("pgbouncer pool size").hits
        assert "default_pool_size = 20" in hits[0].text
        status = memory.status()
        assert status.schema == len(schema.STEPS)
        assert status.accounts.total == status.exchanges > 1


def test_later_steps_keep_every_row(first_version, path):
    tables = {name for (name,) in first_version.execute("select name from sqlite_schema where type = 'table'")}
    own = sorted(name for name in tables if name in ORDINARY)
    before = {}
    for name in own:
        cursor = first_version.execute(f"select * from {name}")
        columns = ", ".join(column for column, *_ in cursor.description)
        before[name] = columns, sorted(map(repr, cursor))
    assert all(rows for name, (_, rows) in before.items() if name != "issue")
    con = Store(path).con
    for name, (columns, rows) in before.items():
        asked = " where kind <> 'extract'" if name == "task" else ""
        assert sorted(map(repr, con.execute(f"select {columns} from {name}{asked}"))) == rows, name
    people = "select id from exchange where automated = ''"
    assert con.execute(f"{people} except select exchange_id from task where kind = 'extract'").fetchall() == []
    assert con.execute("select count(*) from task where kind = 'extract'").get == 3
    assert con.execute("select distinct asked_survival, evidence from palace_object").fetchall() == [(None, None)]
    assert con.execute("select distinct priority from task").fetchall() == [(0.0,)]
    assert con.execute("pragma foreign_key_check").fetchall() == []
    assert con.pragma("integrity_check") == "ok"
    for table in schema.DERIVED:
        con.execute(f"insert into {table} ({table}, rank) values ('integrity-check', 1)")


def test_memory_makes_no_store_when_told_not_to(path):
    with pytest.raises(StoreMissing):
        Memory(path, create=False)
    assert not path.exists()
