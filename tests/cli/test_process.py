"""The command as its users run it: a process with pipes, signals, code pages and exit codes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from memlite.memory import Memory
from tests.cli.conftest import SAMPLES
from tests.embedders import WordEmbedder

ROOT = Path(__file__).parents[2]

MEMLITE = [sys.executable, "-m", "memlite"]


def memlite(*args, stdin=b"", **variables):
    return subprocess.run(
        [*MEMLITE, *map(str, args)], input=stdin, capture_output=True, cwd=ROOT, env={**os.environ, **variables}
    )


def test_done_and_nothing_found(db):
    assert memlite("--db", db, "search", "redis", "--mode", "verbatim", "--fail-empty").returncode == 0
    nothing = memlite("--db", db, "search", "zyzzyva", "--mode", "verbatim", "--fail-empty", "--json")
    assert nothing.returncode == 1
    assert json.loads(nothing.stdout)["hits"] == []


def test_usage(db):
    done = memlite("--db", db, "search", "redis", "--lmit", "3")
    assert done.returncode == 2
    assert b"Did you mean '--limit'?" in done.stderr


def test_no_store(tmp_path):
    done = memlite("--db", tmp_path / "none.db", "status")
    assert done.returncode == 3
    assert str(tmp_path / "none.db") in done.stderr.decode()


def test_the_store_is_damaged_foreign_or_too_new(db, tmp_path):
    damaged = tmp_path / "damaged.db"
    raw = bytearray(db.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    damaged.write_bytes(raw)
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as con:
        con.execute("create table t (a)")
    newer = tmp_path / "newer.db"
    newer.write_bytes(db.read_bytes())
    with closing(sqlite3.connect(newer)) as con:
        known = con.execute("pragma user_version").fetchone()[0]
        con.execute("pragma user_version = 99")
    for path, said in (
        (damaged, "cannot be read"),
        (foreign, "not a memlite store"),
        (newer, f"version 99, this memlite knows versions up to {known}"),
    ):
        before = path.read_bytes()
        done = memlite("--db", path, "search", "redis", "--mode", "verbatim")
        assert done.returncode == 4, done.stderr
        assert said in done.stderr.decode()
        assert len(done.stderr.decode().splitlines()) == 1
        assert path.read_bytes() == before


def test_busy(db):
    with closing(sqlite3.connect(db, isolation_level=None)) as con:
        con.execute("begin immediate")
        done = memlite("--db", db, "add", "one more thing", "--no-distill", MEMLITE_BUSY_TIMEOUT="50")
        reading = memlite("--db", db, "search", "redis", "--mode", "verbatim", MEMLITE_BUSY_TIMEOUT="50")
    assert done.returncode == 5
    assert b"another process" in done.stderr
    assert reading.returncode == 0


def test_a_setting_that_is_no_number(db):
    assert memlite("--db", db, "status", MEMLITE_BUSY_TIMEOUT="soon").returncode == 2


SLOW = """
import sys, time
from pathlib import Path
import memlite.memory
from memlite.cli import main
from tests.embedders import WordEmbedder

marker = Path(sys.argv.pop(1))

class Slow(WordEmbedder):
    def embed(self, texts):
        marker.touch()
        time.sleep(60)

memlite.memory.api.opened.load_embedder = lambda *_: Slow()
main()
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_distilling(new_db, tmp_path, sign):
    with Memory(new_db, embedder=WordEmbedder()) as memory:
        memory.import_path(SAMPLES / "friends.jsonl")
    marker = tmp_path / "embedding"
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, marker, "--db", new_db, "distill"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for _ in range(600):
        if marker.exists() or child.poll() is not None:
            break
        time.sleep(0.05)
    child.send_signal(sign)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert out == b""
    assert b"Interrupted" in err
    assert b"Traceback" not in err
    with closing(sqlite3.connect(new_db)) as con:
        assert con.execute("pragma integrity_check").fetchall() == [("ok",)]
    with Memory(new_db, embedder=WordEmbedder()) as memory:
        status = memory.status()
        assert status.objects["extractive"] > 0
        assert status.tasks.pending > 0
        assert memory.search("concert", mode="verbatim").hits


@pytest.mark.parametrize("args", [("--full",), ("--json",)])
def test_the_reader_goes_away(db, args):
    command = [*MEMLITE, "--db", db, "search", "the", "--mode", "verbatim", "-n", "100", *args]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == 141, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize(
    "variables", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_code_pages_change_nothing(new_db, variables):
    text = "Zażółć gęślą jaźń 東京 🎻 and the rest of the note"
    stored = memlite("--db", new_db, "add", "--no-distill", stdin=text.encode(), **variables)
    assert stored.returncode == 0, stored.stderr
    found = memlite("--db", new_db, "search", "東京", "--mode", "verbatim", "--full", **variables)
    assert text in found.stdout.decode("utf-8")
    assert json.loads(memlite("--db", new_db, "search", "gęślą", "--mode", "verbatim", "--json").stdout)["hits"]
    shown = memlite("--db", new_db, "show", "1", "--json", **variables)
    assert json.loads(shown.stdout)["messages"][0]["content"] == text


def test_arguments_that_are_not_utf8(new_db):
    stored = subprocess.run(
        [*MEMLITE, "--db", new_db, "add", "--no-distill", b"caf\xe9 au lait every morning"],
        cwd=ROOT,
        capture_output=True,
    )
    assert stored.returncode == 0, stored.stderr
    for command in ("search", "context"):
        done = subprocess.run(
            [*MEMLITE, "--db", new_db, command, b"lait \xff", "--mode", "verbatim", "--json"],
            cwd=ROOT,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
        assert "caf\ufffd au lait" in done.stdout.decode()
