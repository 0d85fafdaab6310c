"""Records held against each other: chains, history, what is taken back, and runs that are killed."""

import itertools
import signal
import subprocess
import sys

import apsw
import pytest

import memlite
from memlite.errors import NotFound, UsageError
from tests.embedders import WordEmbedder

HOMES = (
    ("2023-02-01T10:00:00Z", "I live in Hangzhou."),
    ("2024-03-01T10:00:00Z", "I moved to Shanghai last week."),
    ("2025-05-01T10:00:00Z", "I now live in Beijing."),
)
STATE = """
select content, state, valid_from, valid_to, closed_how,
       (select content from record as other where other.id = closed_by)
from record left join validity on record_id = record.id order by said_at, content
"""


def tell(memory, at, text, conversation=""):
    memory.add([{"role": "user", "content": text, "timestamp": at}], conversation=conversation or text)


def states(path):
    con = apsw.Connection(str(path))
    try:
        return list(con.execute(STATE))
    finally:
        con.close()


@pytest.fixture
def moved(memory):
    for at, text in HOMES:
        tell(memory, at, text)
    memory.distill()
    return memory


def test_a_chain_ends_alike_in_every_order_of_import(tmp_path):
    found = set()
    for number, order in enumerate(itertools.permutations(HOMES)):
        path = tmp_path / f"{number}.db"
        with memlite.open(path, embedder=WordEmbedder()) as memory:
            for at, text in order:
                tell(memory, at, text)
                memory.distill()
        found.add(tuple(states(path)))
    (state,) = found
    assert [row[1] for row in state] == ["superseded", "superseded", "active"]
    assert state[0][3] == state[1][2] == "2024-02-19T00:00:00.000Z"  # one ends where the other begins
    assert state[1][3] == state[2][2] == "2025-05-01T10:00:00.000Z"


def test_time_zones_decide_which_of_two_came_later(memory):
    tell(memory, "2024-03-01T23:30:00-05:00", "I live in Boston.")  # already the second of March in UTC
    tell(memory, "2024-03-02T02:00:00+00:00", "I live in Madrid.")
    memory.distill()
    assert [record.content for record in memory.records()] == ["The user lives in Boston."]


def test_what_was_so_is_found_when_the_past_is_asked_for(moved):
    def first(question, **given):
        return next(iter(moved.search(question, **given))).text

    assert "Beijing" in first("where do I live?")
    assert "Shanghai" in first("where did I live before?")
    assert "Hangzhou" in first("where do I live?", as_of="2023-06")
    assert [record.location for record in moved.records(as_of="2024-06")] == ["Shanghai"]


def test_hits_carry_what_is_over_with_its_interval(moved):
    (old,) = (
        record
        for hit in moved.search("where did I live before?")
        for record in hit.records
        if record.closed_how and "Hangzhou" in record.content
    )
    assert (old.valid_from, old.valid_to) == ("2023-02-01T10:00:00.000Z", "2024-02-19T00:00:00.000Z")


def test_a_second_move_to_a_place_is_a_stretch_of_its_own(moved):
    tell(moved, "2026-01-01T10:00:00Z", "I live in Hangzhou.", "again")
    moved.distill()
    stretches = [row[:4] for row in states(moved.path) if "Hangzhou" in row[0]]
    assert [row[1] for row in stretches] == ["superseded", "active"]
    assert stretches[1][2] == "2026-01-01T10:00:00.000Z"


def test_the_same_told_five_times_is_one_record_with_five_sources(memory):
    for day in range(1, 6):
        tell(memory, f"2024-03-0{day}T10:00:00Z", "I am allergic to peanuts.", f"c{day}")
    memory.distill()
    (record,) = memory.records()
    assert len(memory.history(record.id).sources) == 5
    assert len(memory.records(active=False)) == 5  # nothing is deleted


def test_the_same_of_two_projects_is_kept_apart(memory):
    for project, seconds in (("a", 30), ("b", 60)):
        message = {
            "role": "user",
            "content": f"The API timeout is {seconds} seconds.",
            "timestamp": "2024-03-01T10:00Z",
        }
        memory.add([message], conversation=project, project=project)
    memory.distill()
    assert len(memory.records()) == 2


def test_what_is_reverted_stays_so(moved):
    shanghai = next(record for record in moved.records(active=False) if record.location == "Shanghai")
    after = moved.revert(shanghai.id)
    assert after.state == "active"
    assert [step.reverted_at is not None for step in after.steps if step.old_id == shanghai.id] == [True]
    moved.update()
    assert {record.location for record in moved.records()} == {"Shanghai", "Beijing"}


def test_what_cannot_be_reverted_is_told(moved):
    beijing = next(record for record in moved.records() if record.location == "Beijing")
    with pytest.raises(UsageError, match="is active"):
        moved.revert(beijing.id)
    with pytest.raises(NotFound, match="no record 99"):
        moved.history(99)


def test_a_dry_run_tells_and_changes_nothing(memory):
    for at, text in HOMES:
        tell(memory, at, text)
    memory.distill()
    before = states(memory.path)
    report = memory.update(dry_run=True)
    assert report.dry_run
    assert report.decisions["supersede"] == 3
    assert states(memory.path) == before
    assert memory.update().decisions == report.decisions


def test_a_record_that_goes_gives_its_place_back(moved):
    beijing = next(record for record in moved.records() if record.location == "Beijing")
    moved.forget(record=beijing.id)
    moved.update()
    assert [record.location for record in moved.records()] == ["Shanghai"]


def test_an_interval_cannot_be_inverted(moved):
    con = apsw.Connection(str(moved.path))
    with pytest.raises(apsw.ConstraintError):
        con.execute("update validity set valid_to = '2000-01-01', closed_how = 'supersede' where record_id = 1")


def test_a_report_adds_up(moved):
    report = moved.update()
    assert report.records == report.in_store == 3
    assert sum(report.decisions.values()) == report.by_keywords == report.decided_by_words + report.compared
    assert report.embeddings_computed + report.embeddings_reused + report.embeddings_avoided == report.records


WORK = """
import sys
import memlite
from memlite.memory import updating
from tests.embedders import WordEmbedder
updating.BATCH = 8
def progress(what, done, total):
    if what == "update":
        print(done, flush=True)
        import time
        time.sleep(0.05)
with memlite.open(sys.argv[1], embedder=WordEmbedder()) as memory:
    memory.update(progress=progress)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills")
def test_a_run_that_is_killed_goes_on_to_the_same_end(tmp_path):
    paths = [tmp_path / "whole.db", tmp_path / "killed.db"]
    for path in paths:
        with memlite.open(path, embedder=WordEmbedder()) as memory:
            for number in range(40):
                at = f"2024-{number % 12 + 1:02}-{number % 28 + 1:02}T10:{number:02}:00Z"
                tell(
                    memory,
                    at,
                    f"The timeout of the service {'abcde'[number % 5]}lpha is {number} seconds.",
                    f"c{number}",
                )
            memory.distill(embed=False)
    with memlite.open(paths[0], embedder=WordEmbedder()) as memory:
        memory.update()
    with subprocess.Popen([sys.executable, "-c", WORK, str(paths[1])], stdout=subprocess.PIPE) as work:
        assert work.stdout.readline()
        work.send_signal(signal.SIGKILL)
    assert waiting(paths[1]) > 0
    with memlite.open(paths[1], embedder=WordEmbedder()) as memory:
        report = memory.update()
        assert report.records < report.in_store  # what was done is not done again
    assert states(paths[1]) == states(paths[0])
    assert any(row[1] == "superseded" for row in states(paths[0]))
    assert waiting(paths[1]) == 0


def waiting(path):
    con = apsw.Connection(str(path))
    try:
        return con.execute("select count(*) from update_queue").get
    finally:
        con.close()
