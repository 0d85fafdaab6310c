"""`memlite eval`: on one's own store, on data, kept, printed in every form, graded and answered by a model."""

import json
from pathlib import Path

import pytest

from memlite.evaluate import page
from memlite.evaluate.grid import grid
from tests.evaluate.conftest import judged as judged
from tests.generators import CallingGenerator


def test_grid(run):
    shown = run("eval", "grid").stdout
    told = json.loads(run("eval", "grid", "--json").stdout)
    names = [plan.name for plans in grid().values() for plan in plans]
    assert told["count"] == len(names)
    assert [name for names in told["families"].values() for name in names] == names
    assert f"{len(names)} configurations" in shown
    assert all(name in shown for name in names)


def test_own_store_is_asked_and_left_as_it_is(run, db):
    before = Path(db).read_bytes()
    told = json.loads(run("eval", "run", "--questions", 12, "--json", db=db).stdout)
    assert Path(db).read_bytes() == before
    whole = {line["plan"]: line for line in told["lines"] if not line["category"]}
    assert set(whole) == {"auto", "cross", "verbatim", "distilled", "records"}
    assert {line["questions"] for line in whole.values()} == {12}
    again = json.loads(run("eval", "run", "--questions", 12, "--json", db=db).stdout)
    assert again["run"]["data_digest"] == told["run"]["data_digest"]
    other = json.loads(run("eval", "run", "--questions", 12, "--seed", 1, "--json", db=db).stdout)
    assert other["run"]["data_digest"] != told["run"]["data_digest"]


def test_an_empty_store_cannot_be_asked(run, new_db):
    assert "no text that a question can be made of" in run("eval", "run", db=new_db, code=2).stderr


def test_data_is_asked_kept_and_printed(run, judged, tmp_path):
    results = tmp_path / "results.db"
    shown = run("eval", "run", judged, "--plan", "auto", "--plan", "V:bm25", "--results", results)
    assert "conceptual" in shown.stdout
    assert "MRR of the best of the 2 plans" in shown.stdout
    assert "1 no gold of grade 3" in shown.stderr
    assert f"kept as run 1 in {results}" in shown.stderr
    as_json = json.loads(run("eval", "report", results, "--json").stdout)
    direct = json.loads(run("eval", "run", judged, "--plan", "auto", "--plan", "V:bm25", "--json").stdout)
    for kept, made in zip(as_json["lines"], direct["lines"], strict=True):
        assert {**kept, "ms_p50": 0, "ms_p95": 0} == {**made, "ms_p50": 0, "ms_p95": 0}
    assert "V:bm25" in run("eval", "report", results).stdout
    assert run("eval", "report", results, "--format", "markdown").stdout.startswith("| plan | category |")
    html = run("eval", "report", results, "--format", "html").stdout
    assert html.startswith("<!doctype html>")
    assert html.endswith("</html>\n")
    assert page.STYLE in html


def test_runs_are_named(run, judged, tmp_path):
    results = tmp_path / "results.db"
    for plan in ("verbatim", "distilled"):
        run("eval", "run", judged, "--plan", plan, "--results", results)
    assert "distilled" in run("eval", "report", results).stdout
    assert "verbatim" in run("eval", "report", results, "--run", 1).stdout
    assert "There is: 1, 2" in run("eval", "report", results, "--run", 3, code=2).stderr


def test_sweep_prints_the_best(run, judged):
    shown = run("eval", "sweep", judged, "--top", 3).stdout.splitlines()
    assert len(shown) == 1 + 3 + 1
    count = sum(map(len, grid().values()))
    assert f"best of the {count} plans" in shown[-1]


def test_claims(run, judged):
    shown = run("eval", "claims", judged).stdout
    assert "3 questions" in shown
    assert "tokens fall 11 times" in shown
    told = json.loads(run("eval", "claims", judged, "--json").stdout)
    tokens = told["claims"][-1]
    assert tokens["value"] == pytest.approx(told["tokens"][0] / told["tokens"][1])
    assert told["claims"][0]["second"] in ("V:bm25", "V:dense")


@pytest.mark.parametrize(
    ("args", "cause"),
    [
        (["run", "none.json"], "no data set at none.json"),
        (["run", "--grades", "grades.jsonl"], "name the data set"),
        (["report", "none.db"], "no results at none.db"),
    ],
)
def test_bad_input_is_named(run, args, cause):
    assert cause in run("eval", *args, code=2).stderr


def test_an_unknown_plan_is_named(run, judged):
    assert "no search mode 'V:bm26'" in run("eval", "run", judged, "--plan", "V:bm26", code=2).stderr


@pytest.fixture
def model(monkeypatch):
    """Let a stand-in be the language model, which says this."""

    def speak(say):
        monkeypatch.setattr(
            "memlite.models.loading.load_generator",
            lambda model=None, threads=None: CallingGenerator(say, name=model or "stand-in"),
        )

    return speak


def test_models_grade_and_their_grades_are_gold(run, judged, tmp_path, model):
    model(lambda prompt: "3" if "pool" in prompt.text else "0")
    out = tmp_path / "grades.jsonl"
    shown = run("eval", "grade", judged, "--model", "one", "--model", "two", "--out", out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["grader"] for line in lines} == {"one", "two"}
    assert all(line["grade"] == 3 * ("a1" in line["message_ids"]) for line in lines)
    assert "2 graders agree on" in shown.stderr
    assert "kappa 1.000" in shown.stderr
    told = json.loads(run("eval", "run", judged, "--grades", out, "--plan", "verbatim", "--json").stdout)
    assert told["lines"][0]["metrics"]["MRR"]["mean"] > 0


def test_a_model_answers(run, judged, model):
    model(lambda prompt: '{"answer": "The pool was too small.", "sources": [1]}')
    shown = run("eval", "answer", judged).stdout
    assert "all: 1 questions, exact 1.000, F1 1.000, abstained 0.000; of 1 without an answer 1.000 seen" in shown
    told = json.loads(run("eval", "answer", judged, "--json").stdout)
    assert told["unlabelled"] == 2
    assert "2 questions whose answer the data does not tell" in run("eval", "answer", judged).stderr
    assert [one["question"] for one in told["replies"]] == ["2", "3"]
    assert told["run"]["settings"]["reader"].startswith("sha256:")


def test_the_rules_of_update_against_labelled_pairs(run):
    file = Path(__file__).parents[1] / "data" / "update" / "develop.jsonl"
    told = json.loads(run("eval", "update", file, "--json").stdout)
    assert told["pairs"] == len(file.read_text().splitlines())
    shown = run("eval", "update", file, "--misses").stdout
    assert f"{told['right']} decided as labelled" in shown
    assert shown.count("    earlier  ") == len(told["misses"]) == told["pairs"] - told["right"]
    assert "no labelled pair" in run("eval", "update", __file__, code=2).stderr
