"""One exchange that cannot be distilled keeps no other from it, is counted, and is tried again."""

import pytest

from memlite.memory import distilling
from memlite.store import tasks


@pytest.fixture
def poisoned(memory, talk, monkeypatch):
    """A store of three exchanges, one of which the engine fails on; call `heal` to mend the engine."""
    for name in ("fine", "poison", "good"):
        memory.add(
            talk(f"Where does the {name} pool keep its twelve connections?", "In the file pool.toml."),
            conversation=name,
        )
    distil = distilling.distil

    def fail(exchange):
        if "poison" in exchange.turns[0].content:
            raise ValueError("cannot take this")
        return distil(exchange)

    monkeypatch.setattr(distilling, "distil", fail)
    memory.heal = lambda: monkeypatch.setattr(distilling, "distil", distil)
    return memory


def test_a_failure_is_counted_and_stops_nothing(poisoned):
    report = poisoned.distill()
    assert (report.distilled, report.failed, report.pending) == (2, 1, 0)
    status = poisoned.status()
    assert status.tasks.failed == 1
    assert status.objects["extractive"] + status.tasks.failed == status.exchanges
    assert len(poisoned.search("poison", mode="verbatim")) == 1
    assert "cannot take this" in poisoned._store.con.execute("select reason from task where state = 'failed'").get


def test_a_later_run_tries_again_a_few_times(poisoned):
    for _ in range(tasks.MAX_ATTEMPTS):
        assert poisoned.distill().failed == 1
    assert poisoned.distill().failed == 0
    assert poisoned.status().tasks.failed == 1


def test_a_mended_engine_makes_up_for_it(poisoned):
    poisoned.distill()
    poisoned.heal()
    report = poisoned.distill()
    assert (report.distilled, report.failed) == (1, 0)
    assert poisoned.status().tasks.failed == 0
