"""Who may work on what."""

import pytest

from memlite.memory import working
from memlite.store import tasks


@pytest.fixture
def four(memory, con, talk):
    for i in range(4):
        memory.add(talk(f"question {i}", f"answer {i}"), conversation=f"c{i}")
    return con


def test_a_task_is_claimed_once(four):
    assert tasks.claim(four, "distill", "a", 3) == [1, 2, 3]
    assert tasks.claim(four, "distill", "b", 3) == [4]
    assert tasks.claim(four, "distill", "c", 3) == []
    assert tasks.count_pending(four, "distill") == 4


def test_a_lease_that_ran_out_is_taken_over_and_lost_for_good(four, monkeypatch):
    tasks.claim(four, "distill", "a", 4)
    start = tasks.time.time()
    monkeypatch.setattr(tasks.time, "time", lambda: start + tasks.LEASE_SECONDS + 1)
    assert tasks.claim(four, "distill", "b", 1) == [1]
    assert not tasks.finish(four, 1, "distill", "a")
    assert tasks.finish(four, 1, "distill", "b")
    assert tasks.finish(four, 2, "distill", "a")


def test_what_changed_meanwhile_is_not_finished(four):
    tasks.claim(four, "distill", "a", 1)
    tasks.add_task(four, 1, "distill")
    assert not tasks.finish(four, 1, "distill", "a")
    assert not tasks.settle(four, 1, "distill", "a", "skipped", "late")
    assert tasks.claim(four, "distill", "b", 1) == [1]


def test_states_are_counted(four):
    tasks.claim(four, "distill", "a", 3)
    assert tasks.settle(four, 1, "distill", "a", "skipped", "too short")
    assert tasks.settle(four, 2, "distill", "a", "failed", "broken")
    counts = tasks.count_tasks(four)
    assert (counts.pending, counts.failed, counts.skipped) == (4, 1, {"too short": 1})


def test_what_failed_is_tried_again_by_kind_and_not_for_ever(four):
    for _ in range(tasks.MAX_ATTEMPTS):
        tasks.retry_failed(four, "embed")
        assert tasks.count_tasks(four).failed in (0, 1)
        tasks.retry_failed(four, "distill")
        assert tasks.claim(four, "distill", "a", 1) == [1]
        assert tasks.settle(four, 1, "distill", "a", "failed", "broken")
    tasks.retry_failed(four, "distill")
    assert tasks.count_tasks(four).failed == 1


def test_an_interrupted_try_does_not_count_and_a_crash_over_one_upgrade_does(four):
    tasks.claim(four, "distill", "a", 2)
    tasks.release(four, "a")
    assert four.execute("select max(attempts) from task").get == 0
    four.execute("insert into task (exchange_id, kind, state) values (1, 'upgrade', 'pending')")
    for _ in range(tasks.MAX_ATTEMPTS):
        four.execute("update task set state = 'running', owner = 'a', attempts = attempts + 1 where state = 'pending'")
        tasks.recover(four, "a")
    states = dict(four.execute("select kind, group_concat(distinct state) from task group by kind"))
    assert states == {"distill": "pending", "extract": "pending", "upgrade": "failed"}


def test_a_project_narrows_what_is_claimed(memory, con, talk):
    memory.add(talk("question", "answer"), conversation="a", project="app")
    memory.add(talk("question", "answer"), conversation="b", project="shop")
    assert tasks.count_pending(con, "distill", "shop") == 1
    assert tasks.claim(con, "distill", "a", 9, "shop") == [2]
    assert tasks.claim(con, "distill", "a", 9, "none") == []


def test_a_worker_gives_back_only_what_is_its_own(four):
    tasks.claim(four, "distill", "a", 2)
    tasks.claim(four, "distill", "b", 1)
    assert sorted(tasks.list_owners(four)) == ["a", "b"]
    tasks.release(four, "a")
    assert tasks.list_owners(four) == ["b"]
    assert tasks.claim(four, "distill", "c", 9) == [1, 2, 4]


def test_only_a_process_of_this_machine_is_known_to_be_gone():
    me = working.owner()
    node, pid, rest = me.split("/")
    assert me != working.owner()
    assert not working.is_gone(me)
    assert working.is_gone(f"{node}/999999999/{rest}")
    assert not working.is_gone(f"elsewhere/999999999/{rest}")
    assert not working.is_gone(f"{node}/1/{rest}")
