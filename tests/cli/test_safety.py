"""What the commands say of files that are no good: one table of message and exit code; and export by the command."""

import json
import os

import apsw
import pytest

from memlite.store import encryption


def no_store(path):
    path.write_bytes(b"a letter, not a database. " * 200)


def another_database(path):
    path.unlink()
    with apsw.Connection(str(path)) as con:
        con.execute("create table recipe (name)")


def newer_schema(path):
    with apsw.Connection(str(path)) as con:
        con.pragma("user_version", 999)


def cut_off(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def missing(path):
    path.unlink()


def a_folder(path):
    path.unlink()
    path.mkdir()


BAD_FILES = [
    (no_store, 4, "Give the key"),
    (another_database, 4, "not a memlite store. Give another path"),
    (newer_schema, 4, "Upgrade memlite"),
    (cut_off, 4, "Restore it from a backup"),
    (missing, 3, "Make one with: memlite"),
    (a_folder, 3, "Give the path of a file"),
]


@pytest.mark.parametrize(("spoil", "code", "says"), BAD_FILES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_bad_file_has_one_clean_message_and_a_code(run, new_db, spoil, code, says):
    spoil(new_db)
    found = run("status", db=new_db, code=code)
    assert says in found.stderr
    assert found.stdout == ""
    assert "Traceback" not in found.stderr


def test_an_export_is_imported_as_it_was(run, db, tmp_path):
    run("export", tmp_path / "one.jsonl", db=db)
    other = tmp_path / "other.db"
    run("init", db=other)
    run("import", "--no-distill", tmp_path / "one.jsonl", db=other)
    run("export", tmp_path / "two.jsonl", db=other)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_backup_restore_and_doctor_by_command(run, db, tmp_path):
    run("backup", tmp_path / "copy.db", db=db)
    assert "already" in run("backup", tmp_path / "copy.db", db=db, code=2).stderr
    assert "kept" in run("restore", tmp_path / "copy.db", db=db).stderr
    assert "ERROR" not in run("doctor", db=db).stdout


def test_an_export_is_its_owners_alone_and_comes_whole_or_not_at_all(run, db, tmp_path):
    target = tmp_path / "all.jsonl"
    run("export", target, db=db)
    assert target.stat().st_mode & 0o777 == 0o600
    assert "cannot write" in run("export", tmp_path / "none" / "all.jsonl", db=db, code=2).stderr
    assert {path.name for path in tmp_path.iterdir()} == {"memory.db", "all.jsonl"}


def test_doctor_mends_what_is_made_of_the_text(run, db):
    with apsw.Connection(str(db)) as con:
        con.execute("delete from vector where id = (select min(id) from vector)")
    assert "WARNING" in run("doctor", db=db).stdout
    shown = run("doctor", "--fix", db=db).stdout
    assert "fixed     keyword indexes made again" in shown
    assert "WARNING" not in shown


def test_the_selftest_loses_nothing_that_was_acknowledged(run, db):
    found = json.loads(run("doctor", "--selftest", "--json", db=db).stdout)["findings"]
    assert {one["severity"] for one in found if one["check"] == "selftest"} == {"ok"}


def test_a_bench_takes_sizes_and_parts(run):
    told = json.loads(run("bench", "--size", 20, "--size", 30, "--part", "size", "--json").stdout)
    assert told["sizes"] == [20, 30]
    assert list(told["parts"]) == ["size"]
    assert "whole store over what was said" in run("bench", "--size", 20, "--part", "size").stdout


@pytest.mark.skipif(encryption.AVAILABLE, reason="this SQLite can encrypt: see tests/memory/test_encrypted.py")
@pytest.mark.parametrize(
    "args", [("--new-key-fd",), ("--key-fd",), ("init", "--encrypt", "--keyring"), ("rekey", "--decrypt", "--keyring")]
)
def test_without_a_cipher_a_key_is_refused_and_nothing_is_made(run, db, tmp_path, monkeypatch, args):
    monkeypatch.setenv("MEMLITE_KEY", "correct horse")
    new = tmp_path / "secret.db"
    reading, writing = os.pipe()
    os.write(writing, b"correct horse\n")
    os.close(writing)
    if args == ("--new-key-fd",):
        result = run("rekey", "--new-key-fd", reading, db=db, code=4)
    elif args == ("--key-fd",):
        result = run("--key-fd", reading, "init", "--encrypt", db=new, code=4)
    else:
        os.close(reading)
        result = run(*args, db=new if args[0] == "init" else db, code=4)
    assert "apsw-sqlite3mc" in result.stderr
    assert not new.exists() or new.stat().st_size == 0
