"""From import to records: read in windows, once, with what fails in sight, and taken out with what they rest on."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from memlite.errors import UsageError
from memlite.extract import PRESETS, extract
from memlite.memory import distilling, extracting
from memlite.memory.working import Bounds
from memlite.segment import Rules
from memlite.store import dense, records
from memlite.types.records import Heard, Record

ROOT = Path(__file__).parents[2]
HEALS = "My sister Tamsin lives in Lisbon. I moved to Porto in May 2023 because the rent had doubled."
FRIENDS = [
    {"speaker": "Nadia", "dia_id": "D1:1", "text": "I adopted a greyhound called Biscuit last Friday!"},
    {"speaker": "Ilias", "dia_id": "D1:2", "text": "Lovely.", "img_url": ["x"], "blip_caption": "a dog on a red sofa"},
]


def contents(memory, **how):
    return [record.content for record in memory.records(order="oldest", **how)]


def work(memory, extractor=extract, version="test-1", *, redo=False, embed=True, progress=None):
    engine = extracting.Engine(extractor, records.Maker("extractive", "", version))
    embedder = memory._embedder if embed else None
    return distilling.work(memory._store, embedder, Rules(), Bounds(), progress, extractor=engine, redo=redo)


def one_each(window):
    """Make a record of every new message of a user."""
    return [Record(f"It was said: {m.content}", "fact", m.ply, 0, 3) for m in window.new if m.role == "user"]


def add_numbers(memory, numbers, conversation="numbers"):
    for number in numbers:
        said = [("user", f"What is number {number:03}?"), ("assistant", "It is what comes next.")]
        memory.add([{"role": role, "content": text} for role, text in said], conversation=conversation)


def test_bundled_conversations_give_records_that_rest_on_their_words(memory):
    for name in ("friends.jsonl", "personal.jsonl", "project.jsonl"):
        memory.import_path(ROOT / "memlite" / "samples" / name)
    report = memory.distill()
    found = memory.records()
    assert report.records == report.records_embedded == len(found) > 50
    assert (report.windows_failed, report.records_refused) == ({}, {})
    assert report.windows > 3
    con = memory._store.con
    for record in found:
        view = memory.get(record.exchange_id)
        assert record in view.records
        assert record.message_id in [message.id for message in view.messages]
    spans = con.execute("select span_end, length(content) from record_source join message on message.id = message_id")
    assert all(end <= length for end, length in spans)
    assert dense.count_vectors(con, "records") == len(found)
    status = memory.status()
    assert status.records == {"active": len(found), "superseded": 0}
    assert sum(status.record_types.values()) == len(found)
    assert status.reading.read + status.reading.automated == status.reading.total == status.exchanges
    assert memory.distill().windows == 0


def test_locomo_turns_and_photos(memory, tmp_path):
    talk = {"speaker_a": "Nadia", "speaker_b": "Ilias", "session_1_date_time": "1:56 pm on 8 May, 2023"}
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([{"sample_id": "s1", "conversation": {**talk, "session_1": FRIENDS}}]))
    memory.import_path(file)
    memory.distill()
    assert any("Biscuit" in content for content in contents(memory, speaker="Nadia", at="2023-05-05"))
    (photo,) = memory.records("sofa")
    assert (photo.type, photo.speaker, photo.time_start) == ("episodic", "Ilias", "2023-05-08")
    assert memory.records(since="2023-06") == ()


def test_short_exchanges_are_read_though_they_are_not_distilled(memory):
    memory.add([{"role": "user", "content": "I live in Lisbon."}])
    report = memory.distill()
    assert report.skipped == {"too short": 1}
    assert report.records == len(memory.records()) == 1


def test_what_no_person_typed_is_not_read(memory, talk):
    memory.add(talk("<command-name>/clear</command-name>", HEALS))
    assert memory.distill().windows == 0
    assert memory.status().reading == memory.status().reading.__class__(total=1, read=0, automated=1)


def test_windows_are_whole_exchanges_with_what_came_before_as_context(memory):
    add_numbers(memory, range(40))
    seen = []
    work(memory, lambda window: seen.append(window) or one_each(window))
    size, overlap = PRESETS["assistant"]
    assert [message.ply for window in seen for message in window.new] == list(range(80))
    users = [[m for m in window.messages if m.role == "user"] for window in seen]
    assert [len(each) for each in users] == [size, size, size, 40 - 3 * size + 3 * overlap]
    for before, window in zip(seen, seen[1:], strict=False):
        context = window.messages[: window.overlap]
        assert [m.ply for m in context] == list(range(window.new[0].ply - 2 * overlap, window.new[0].ply))
        assert context == before.messages[-2 * overlap :]
    assert len(contents(memory)) == 40


def test_a_conversation_that_grows_is_read_only_where_it_is_new(memory):
    add_numbers(memory, range(3))
    work(memory, one_each)
    before = {record.content: record.id for record in memory.records()}
    memory.add([{"role": "assistant", "content": "Or is it?"}], conversation="numbers")
    assert set(contents(memory)) == {f"It was said: What is number {i:03}?" for i in range(2)}
    add_numbers(memory, [3])
    seen = []
    assert work(memory, lambda window: seen.append(window) or one_each(window)).records == 2
    assert [m.ply for window in seen for m in window.new] == [4, 5, 6, 7, 8]
    assert [m.ply for m in seen[0].messages[: seen[0].overlap]] == [0, 1, 2, 3]
    after = {record.content: record.id for record in memory.records()}
    assert len(after) == 4
    assert {text: after[text] for text in list(before)[1:]} == {text: before[text] for text in list(before)[1:]}
    add_numbers(memory, [])
    assert work(memory, one_each).windows == 0


def test_an_engine_that_fails_on_a_window_loses_only_the_exchange_it_fails_on(memory):
    add_numbers(memory, range(5))

    def poisoned(window):
        if any("003" in m.content for m in window.new):
            raise ValueError("cannot take this")
        return one_each(window)

    for attempt in range(1, 5):
        report = work(memory, poisoned)
        assert report.windows_failed == ({"ValueError: cannot take this": 1} if attempt <= 3 else {})
        assert len(contents(memory)) == 4
        assert memory.status().reading.failed == {"ValueError: cannot take this": 1}
        assert memory.status().reading.read == 4
        assert memory.status().tasks.failed == 1
    add_numbers(memory, [5])
    memory.add([{"role": "user", "content": "none"}])
    assert work(memory, lambda window: []).windows_failed == {}
    assert memory.status().reading.failed == {"ValueError: cannot take this": 1}  # tried too often


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ply": 0}, "not from the new part of its window"),
        ({"ply": 99}, "not from the new part of its window"),
        ({"end": 999}, "span outside its message"),
        ({"start": 3}, "span outside its message"),
        ({"content": " "}, "no content"),
        ({"type": "rumour"}, "no such type"),
        ({"confidence": 1.5}, "confidence not from 0 to 1"),
        ({"time_start": "2023-02-30"}, "no such date"),
        ({"time_end": "soon"}, "no such date"),
        ({"time_end": ""}, "no such date"),
        ({"time_end": "9999-12-99"}, "no such date"),
        ({"time_start": "2024", "time_end": "2023-05"}, "ends before it begins"),
    ],
)
def test_what_does_not_hold_against_its_window_is_refused_and_counted(memory, change, reason):
    add_numbers(memory, [1])
    work(memory, one_each)
    add_numbers(memory, [2])
    good = Record("Number two was asked for.", "fact", 2, 0, 3)
    report = work(memory, lambda window: [structs.replace(good, **change), good])
    assert report.records_refused == {reason: 1}
    assert report.records == 1
    assert good.content in contents(memory)


def test_a_later_version_replaces_what_an_earlier_one_found(memory):
    add_numbers(memory, range(3))
    work(memory, one_each, "test-1")
    assert work(memory, one_each, "test-1", redo=True).windows == 0
    seen = []
    report = work(memory, lambda window: seen.append(window) or one_each(window)[:1], "test-2", redo=True)
    assert (report.records, len(memory.records())) == (1, 1)
    assert len(seen) == 1
    assert work(memory, one_each, "test-2", redo=True).windows == 0  # no older record is left to tell of older rules
    assert memory._store.con.execute("select distinct version from record").fetchall() == [("test-2",)]


def test_vectors_wait_when_they_are_not_wanted(memory, embedder):
    add_numbers(memory, range(3))
    report = work(memory, one_each, embed=False)
    assert (report.records, report.records_embedded, embedder.embedded) == (3, 0, [])
    assert memory.embed().records_embedded == 3
    assert [text for text in embedder.embedded if text.startswith("It was said")] == contents(memory)


def test_reindex_makes_the_same_indexes_again(memory):
    memory.import_path(ROOT / "memlite" / "samples" / "personal.jsonl")
    memory.distill()

    def found():
        vector = memory._embedder.embed_query("where does she live")
        con = memory._store.con
        return memory.records("the"), dense.nearest(con, "records", vector, dense.Scope())

    before = found()
    assert all(before)
    with memory._store.transaction() as con:
        con.execute("drop table fts_record")
        con.execute("drop table vec_record")
    memory.reindex()
    assert found() == before
    with memory._store.transaction() as con:
        con.execute("delete from vector where layer = 'records' and id % 2")
    assert memory.reindex().records_embedded > 0
    assert found() == before


def test_dates_and_names_that_cannot_be_are_errors(memory):
    for how in ({"since": "blursday"}, {"until": "31/31"}, {"at": "soonish"}):
        with pytest.raises(UsageError, match="2026-05-03, "):
            memory.records(**how)
    for how in ({"type": "rumour"}, {"limit": -1}, {"offset": -1}, {"order": "best"}):
        with pytest.raises(UsageError):
            memory.records(**how)


KILLED = """
import sys
from memlite.memory import Memory, extracting
from tests.embedders import WordEmbedder
from tests.memory.test_records import one_each, work
extracting.BATCH = 20
work(Memory(sys.argv[1], embedder=WordEmbedder()), one_each, progress=lambda *done: print(*done, flush=True))
"""


def test_a_reader_that_is_killed_loses_no_record_and_makes_none_twice(memory):
    add_numbers(memory, range(200))
    child = subprocess.Popen([sys.executable, "-c", KILLED, memory.path], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for line in child.stdout:
        if line.startswith("extract 60 "):
            os.kill(child.pid, signal.SIGKILL)
            break
    child.wait()
    child.stdout.close()
    before = memory.status().reading
    assert 60 <= before.read < 200
    assert before.read + before.pending == 200
    assert work(memory, one_each).records == 200 - before.read
    assert sorted(contents(memory)) == [f"It was said: What is number {i:03}?" for i in range(200)]


def test_a_heard_message_is_what_was_said(memory):
    memory.add([{"speaker": "Ana", "content": "It rained.", "timestamp": "2026-05-03T10:00:00+02:00"}])
    seen = []
    work(memory, lambda window: seen.append(window) or [])
    assert seen[0].messages == (Heard(0, "user", "It rained.", "Ana", "2026-05-03T08:00:00.000Z", 120),)
    assert seen[0].style == "peers"
