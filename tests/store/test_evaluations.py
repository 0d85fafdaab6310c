"""The file of results: made where there is none, refused where it is something else, and made for SQL."""

import apsw
import pytest

from memlite.errors import UsageError
from memlite.memory import Memory
from memlite.store import evaluations
from memlite.types.evaluation import Outcome, RunRecord

RUN = RunRecord(
    "d", "digest", "sha256:1", "0.1", "", "machine", "2026-01-01T00:00:00+00:00", {"a": "b"}, {"no evidence": 2}
)
OUTCOMES = [
    Outcome("c", "q1", "x", "auto", (0, 3), (0, 1), 1, (3,), 1.5, 20),
    Outcome("c", "q2'; drop table run; --", "", "auto", (), (), 1, (3, 2)),
]


def test_round_trip(tmp_path):
    path = tmp_path / "results.db"
    assert evaluations.add_run(path, RUN, iter(OUTCOMES)) == 1
    assert evaluations.get_runs(path) == {1: RUN}
    assert evaluations.get_outcomes(path, 1) == OUTCOMES
    assert evaluations.get_outcomes(path, 2) == []


def test_any_figure_can_be_made_with_sql(tmp_path):
    path = tmp_path / "results.db"
    evaluations.add_run(path, RUN, OUTCOMES)
    found = apsw.Connection(str(path)).execute(
        "select plan, avg((select max(value = 3) from json_each(grades))) from outcome group by plan"
    )
    assert list(found) == [("auto", 1.0)]


def test_a_run_comes_whole_or_not_at_all(tmp_path):
    path = tmp_path / "results.db"
    with pytest.raises(apsw.ConstraintError):
        evaluations.add_run(path, RUN, [OUTCOMES[0], OUTCOMES[0]])
    assert evaluations.get_runs(path) == {}


def test_what_is_no_file_of_results_is_left_as_it_is(tmp_path):
    store = tmp_path / "memory.db"
    Memory(store).close()
    before = store.read_bytes()
    with pytest.raises(UsageError, match="another kind"):
        evaluations.add_run(store, RUN, OUTCOMES)
    assert store.read_bytes() == before
    with pytest.raises(UsageError, match="no results at"):
        evaluations.get_runs(tmp_path / "none.db")
