"""Backup and restore: a copy is good when it has its name, and what was there before a restore is kept."""

import threading

import pytest

from memlite.errors import StoreDamaged, StoreMissing, UsageError
from memlite.memory import Memory
from tests.embedders import WordEmbedder


@pytest.fixture
def said(memory, talk):
    memory.add(talk("Which violin strings suit a dry garden room?", "Gut strings, tuned twice a day there."))
    return memory


def test_a_backup_holds_what_the_store_held_and_is_private(said, tmp_path):
    report = said.backup(tmp_path / "copy.db")
    assert (report.messages, report.exchanges) == (2, 1)
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UsageError, match="already"):
        said.backup(tmp_path / "copy.db")
    said.backup(tmp_path / "copy.db", force=True)
    assert not list(tmp_path.glob("*.part"))


def test_a_backup_under_write_load_opens_clean(said, tmp_path):
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            said.add([{"role": "user", "content": f"line {number} of the harbour log", "id": f"m{number}"}])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        reports = [said.backup(tmp_path / f"copy{number}.db") for number in range(5)]
    finally:
        stop.set()
        writer.join()
    for report in reports:
        found = Memory.examine(report.path, embedder=WordEmbedder()).findings
        assert [one for one in found if one.severity == "error"] == []


def test_a_restore_keeps_what_was_there(said, tmp_path):
    said.backup(tmp_path / "copy.db")
    said.add([{"role": "user", "content": "Only in the newer store."}])
    said.close()
    report = Memory.restore(said.path, tmp_path / "copy.db")
    assert report.messages == 2
    with Memory(report.safety_copy, embedder=WordEmbedder()) as kept:
        assert kept.status().messages == 3


def test_a_bad_backup_changes_nothing(said, tmp_path):
    said.close()
    before = said.path.read_bytes()
    (tmp_path / "junk.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8192)
    with pytest.raises(StoreDamaged):
        Memory.restore(said.path, tmp_path / "junk.db")
    with pytest.raises(StoreMissing):
        Memory.restore(said.path, tmp_path / "none.db")
    assert said.path.read_bytes() == before
