"""An encrypted store by command, where SQLite can encrypt: the key from the environment and from a descriptor."""

import os

import pytest

from memlite.store import encryption

pytestmark = pytest.mark.skipif(not encryption.AVAILABLE, reason="needs apsw-sqlite3mc in the place of apsw")
SAID = "The zeppelin lands in Friedrichshafen on Tuesday at noon, with cheese on board."


def descriptor(text):
    reading, writing = os.pipe()
    os.write(writing, text.encode() + b"\n")
    os.close(writing)
    return reading


def test_a_store_is_encrypted_opened_given_another_key_and_decrypted(run, tmp_path, monkeypatch):
    db = tmp_path / "secret.db"
    monkeypatch.setenv("MEMLITE_KEY", "correct horse")
    run("init", "--encrypt", db=db)
    run("add", SAID, db=db)
    assert "zeppelin" in run("search", "zeppelin", db=db).stdout
    assert not any(b"zeppelin" in file.read_bytes().lower() for file in tmp_path.glob("secret.db*"))
    run("rekey", "--new-key-fd", descriptor("another one"), db=db)
    monkeypatch.delenv("MEMLITE_KEY")
    for key, cause in ((None, "is encrypted"), ("wrong", "the key does not open")):
        if key:
            monkeypatch.setenv("MEMLITE_KEY", key)
        shown = run("search", "zeppelin", db=db, code=4)
        assert cause in shown.stderr
        assert shown.stderr.count("\n") == 1
    monkeypatch.delenv("MEMLITE_KEY")
    assert "zeppelin" in run("--key-fd", descriptor("another one"), "search", "zeppelin", db=db).stdout
    monkeypatch.setenv("MEMLITE_KEY", "another one")
    run("export", tmp_path / "all.jsonl", db=db)
    run("backup", tmp_path / "copy.db", db=db)
    assert b"zeppelin" not in (tmp_path / "copy.db").read_bytes().lower()
    run("rekey", "--decrypt", db=db)
    monkeypatch.delenv("MEMLITE_KEY")
    assert "zeppelin" in run("search", "zeppelin", db=db).stdout
