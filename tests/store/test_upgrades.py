"""Which object a model gets next, and what is remembered of its tries."""

import pytest

from memlite.store import tasks, upgrades
from memlite.store.upgrades import Attempt, Scope
from tests.memory.conftest import add_billing

MINE = Scope(model="sha256:a", prompt_version="1")


def ask(con, scope=MINE):
    upgrades.ask(con, upgrades.find_unasked(con, scope))


@pytest.fixture
def three(memory, con):
    add_billing(memory, range(3))
    memory.distill()
    ask(con)
    return con


def tried(model="sha256:a", prompt="1", outcome="improved"):
    return Attempt("gguf", model, "a", prompt, {"exchange_core": outcome}, 0.5)


def test_an_object_is_claimed_once_and_the_newest_first(three):
    claimed = [upgrades.claim(three, owner, MINE) for owner in "abcd"]
    assert claimed == [3, 2, 1, None]
    assert upgrades.count_waiting(three, MINE) == 3


def test_a_lease_outlasts_a_slow_model_and_then_runs_out(three, monkeypatch):
    upgrades.claim(three, "a", MINE)
    start = tasks.time.time()
    monkeypatch.setattr(tasks.time, "time", lambda: start + upgrades.LEASE_SECONDS - 60)
    assert upgrades.claim(three, "b", MINE) == 2
    monkeypatch.setattr(tasks.time, "time", lambda: start + upgrades.LEASE_SECONDS + 1)
    assert upgrades.claim(three, "c", MINE) == 3
    assert not tasks.finish(three, 3, "upgrade", "a")
    assert tasks.finish(three, 3, "upgrade", "c")


@pytest.mark.parametrize(
    ("scope", "left"),
    [
        (MINE, [2, 1]),
        (Scope(model="sha256:b", prompt_version="1"), [2, 1]),
        (Scope(again=True, model="sha256:a", prompt_version="1"), [2, 1]),
        (Scope(again=True, model="sha256:b", prompt_version="1"), [3, 2, 1]),
        (Scope(again=True, model="sha256:a", prompt_version="2"), [3, 2, 1]),
        (Scope(project="another", again=True), []),
    ],
)
def test_what_was_tried_is_open_to_others_only_when_asked_for(three, scope, left):
    upgrades.record(three, 3, tried(), "2026")
    assert upgrades.find_open(three, scope) == left
    ask(three, scope)
    assert upgrades.count_waiting(three, scope) == len(left)
    assert [upgrades.claim(three, "x", scope) for _ in range(len(left) + 1)] == [*left, None]


def test_tries_are_counted_by_object(three):
    for outcome in ("improved", "too long"):
        upgrades.record(three, 1, tried(outcome=outcome), "2026")
    upgrades.record(three, 2, tried(outcome="improved"), "2026")
    upgrades.record(three, 3, tried(outcome='"improved"'), "2026")
    counts = upgrades.count_upgrades(three)
    assert (counts.tried, counts.improved, counts.pending) == (3, 1, 3)


def test_what_is_asked_for_goes_with_the_object(memory, three):
    upgrades.record(three, 1, tried(), "2026")
    memory.add([{"role": "assistant", "content": "It is free again."}], conversation="c0")
    assert upgrades.count_upgrades(three).tried == 0
    assert upgrades.count_waiting(three, MINE) == 2
    assert three.execute("select count(*) from task where kind = 'upgrade' and exchange_id = 1").get == 0


def test_asking_again_reorders_what_waits_and_leaves_who_works_alone(memory, three):
    working = "elsewhere/1/a"
    assert upgrades.claim(three, working, MINE) == 3
    add_billing(memory, [3])
    memory.distill()
    ask(three)
    assert upgrades.claim(three, "b", MINE) == 4
    assert tasks.finish(three, 3, "upgrade", working)


def test_nothing_is_asked_for_twice(three):
    assert upgrades.find_unasked(three, MINE) == []


def test_an_object_that_is_gone_when_it_is_asked_for_is_passed_over(memory, con):
    add_billing(memory, range(2))
    memory.distill()
    found = upgrades.find_unasked(con, MINE)
    memory.add([{"role": "assistant", "content": "It is free again."}], conversation="c1")
    upgrades.ask(con, found)
    assert upgrades.count_upgrades(con).pending == 1


def test_a_failure_is_asked_for_again_only_on_purpose(three):
    for _ in range(tasks.MAX_ATTEMPTS):
        id = upgrades.claim(three, "a", MINE)
        assert tasks.settle(three, id, "upgrade", "a", "failed", "broken")
        tasks.retry_failed(three, "distill", "upgrade")
    ask(three)
    assert upgrades.count_upgrades(three).failed == {"broken": 1}
    ask(three, Scope(again=True, model="sha256:a", prompt_version="1"))
    assert upgrades.count_upgrades(three).failed == {}
    assert upgrades.claim(three, "b", MINE) == 3
