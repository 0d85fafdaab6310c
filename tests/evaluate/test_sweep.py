"""A sweep finds what a search finds, and grades it by the questions' gold."""

from datetime import date

import pytest

from memlite.evaluate import datasets, metrics, runs
from memlite.evaluate.grid import grid
from memlite.evaluate.sweep import Trial, ask, judge, sweep
from memlite.memory import Memory
from memlite.memory.evaluations import add_run, get_outcomes, get_runs
from memlite.retrieve import search
from memlite.retrieve.plans import PLANS
from memlite.types.evaluation import Outcome, Place, Question

EVERY = [plan for plans in grid().values() for plan in plans]
QUESTIONS = [
    "when did the deploy fail and why",
    "the dog of my sister in May",
    "E1042",
    "what did you recommend?",
    "!?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_plan_ranks_as_a_search_by_it_does(memory, question, monkeypatch):
    memory.embed(verbatim=True)
    day = date(2026, 5, 20)
    ranked = memory.rank(question, EVERY, limit=20, asked_at=day)
    assert list(ranked) == [plan.name for plan in EVERY]
    for plan in EVERY:
        monkeypatch.setattr("memlite.retrieve.plans.get_plan", lambda *_, plan=plan, **__: plan)
        hits = memory.search(question, limit=20, asked_at=day).hits
        assert [id for id, _ in ranked[plan.name].found] == [hit.exchange_id for hit in hits], plan.name
        assert ranked[plan.name].seconds > 0


def test_routes_run_once_for_all_plans(memory, monkeypatch):
    ran = []
    run = search.routes.run
    monkeypatch.setattr(search.routes, "run", lambda route, ground: ran.append(route) or run(route, ground))
    memory.rank("when did the deploy fail", EVERY)
    assert len(ran) == len(set(ran)) < 20


def test_precisions_agree_on_what_is_nearest(memory):
    plans = [plan for plan in EVERY if plan.name in ("D:dense", "D:dense.bytes", "D:dense.bits")]
    found = memory.rank("when did the deploy fail and why", plans, limit=5)
    shipped, exact, bits = ([id for id, _ in found[plan.name].found] for plan in plans)
    assert shipped == exact
    assert bits[0] in exact


def test_own_form_from_file_to_figures(judged):
    data = datasets.load(judged)
    found = metrics.by_plan(sweep(data, [PLANS["auto"], PLANS["verbatim"]]))
    assert set(found) == {"auto", "verbatim"}
    by_question = {one.question: one for one in found["verbatim"]}
    assert "3" not in by_question  # nothing answers it
    assert by_question["pool"].grades[0] == 3
    assert by_question["2"].ideal == (3, 2)
    assert by_question["2"].gold == 2
    assert by_question["2"].grades == (2, 3)
    assert metrics.ndcg(by_question["2"]) == pytest.approx((3 + 7 / 1.58496) / (7 + 3 / 1.58496), abs=1e-5)
    assert by_question["5"].grades[0] == 3
    assert by_question["5"].ideal == (3,)


def test_kept_stores_are_used_again_and_find_the_same(judged, tmp_path, monkeypatch):
    data = datasets.load(judged)
    first = list(sweep(data, [PLANS["cross"]], cache=tmp_path / "cache"))
    (folder,) = (tmp_path / "cache").iterdir()
    assert folder.name == data.digest
    distilled = []
    distill = Memory.distill
    monkeypatch.setattr(Memory, "distill", lambda self: distilled.append(distill(self)) or distilled[-1])
    again = list(sweep(data, [PLANS["cross"]], cache=tmp_path / "cache"))
    assert [bare(one) for one in first] == [bare(one) for one in again]
    assert [report.distilled for report in distilled] == [0]


def test_two_runs_give_the_same_digits(judged):
    data = datasets.load(judged)
    one, other = (list(sweep(data, EVERY)) for _ in range(2))
    assert [bare(outcome) for outcome in one] == [bare(outcome) for outcome in other]


def bare(outcome):
    """An outcome without its time."""
    return Outcome(**{name: getattr(outcome, name) for name in outcome.__struct_fields__} | {"milliseconds": 0.0})


def test_a_store_that_is_asked_nothing_that_it_could_answer(memory):
    unanswerable = Question("q", "what is the capital of France", {}, unanswerable=True)
    assert list(ask(Trial("own", memory, [unanswerable]), EVERY)) == []


def place(*ids, conversation="c", tokens=10):
    return Place(ids, conversation, tokens)


def test_gold_messages_of_one_exchange_are_one_thing_to_find():
    question = Question("q", "?", {"m1": 3, "m2": 3, "m3": 2})
    one = judge(question, (3, 2), [place("x"), place("m1", "m2"), place("m3")])
    assert (one.grades, one.found, one.gold, one.ideal, one.tokens) == ((0, 3, 2), (0, 2, 0), 2, (3, 2), 30)


def test_conversations_are_ranked_by_their_best_exchange():
    question = Question("q", "?", {}, conversations=("b", "c"))
    found = [place(conversation=name) for name in ("a", "b", "a", "b", "c")]
    one = judge(question, (3, 3), found)
    assert (one.grades, one.found, one.gold) == ((0, 3, 3), (0, 1, 1), 2)


def test_a_gold_message_that_is_not_in_the_store_still_counts(judged):
    queries = judged / "queries.jsonl"
    queries.write_text('{"query": "connection pool", "gold": [{"grade": 3, "message_ids": ["a1", "gone"]}]}')
    (one,) = sweep(datasets.load(judged), [PLANS["verbatim"]])
    assert one.ideal == (3, 3)
    assert metrics.recall(one) == 0.5


def test_messages_without_an_id_of_their_own_are_found_by_the_stores(memory, talk):
    memory.add(talk("Where is the spare zeppelin key?", "Under the third flower pot."), conversation="keys")
    (hit,) = memory.search("+zeppelin").hits
    ids = [f"#{id}" for id in hit.message_ids]
    assert set(memory.places([hit.exchange_id])[hit.exchange_id].ids) == set(ids)
    assert memory.holders(ids) == {id: {hit.exchange_id} for id in ids}
    assert memory.holders(["#x", "#", "none", "#999999"]) == {}


def test_a_run_is_read_back_as_it_was_kept(judged, tmp_path):
    data = datasets.load(judged)
    record = runs.describe(data, {"plans": "1"})
    assert record.skipped == {"no gold of grade 3": 1}
    assert record.embedder.startswith("sha256:")
    outcomes = list(sweep(data, [PLANS["auto"]]))
    path = tmp_path / "results.db"
    assert [add_run(path, record, outcomes) for _ in range(2)] == [1, 2]
    assert get_runs(path) == {1: record, 2: record}
    kept = get_outcomes(path, 2)
    assert sorted(kept, key=str) == sorted(outcomes, key=str)
    assert runs.summarise(record, kept) == runs.summarise(record, outcomes)


def test_figures_are_by_category_too(judged):
    data = datasets.load(judged)
    report = runs.summarise(runs.describe(data, {}), list(sweep(data, [PLANS["verbatim"]])))
    lines = {line.category: line for line in report.lines}
    assert {name: line.questions for name, line in lines.items()} == {"": 3, "exact": 1, "conceptual": 1, "talk": 1}
    assert lines[""].metrics["MRR"].mean == pytest.approx(report.oracle)


def test_progress_counts_questions(judged):
    told = []
    list(sweep(datasets.load(judged), [PLANS["verbatim"]], progress=lambda *step: told.append(step)))
    assert told == [("history", 1, 3), ("history", 2, 3), ("history", 3, 3)]
