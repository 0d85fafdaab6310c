"""Answers: what a reader is given, how it is scored, and a real small model that runs end to end."""

import json

import pytest

from memlite.evaluate import answering, datasets
from memlite.evaluate.answering import Reply
from memlite.evaluate.sweep import trials
from memlite.models import llama, loading
from memlite.types.evaluation import Question
from tests.generators import CallingGenerator


def reply(answer, expected="20", *, unanswerable=False, category="", same=None):
    return Reply("q", category, answer, expected, (), (), 100, unanswerable, same)


def test_case_articles_and_punctuation_do_not_count():
    assert answering.exact("The Pool-Size!", "poolsize") == 1
    assert answering.exact("20", "21") == 0
    assert answering.f1("the pool was too small", "pool too small") == pytest.approx(2 * 3 / (4 + 3))
    assert answering.f1("a a b", "a b b") == pytest.approx(2 / 3 * 0 + 2 * 1 / (1 + 2))  # "a" is an article
    assert answering.f1("x x y", "x y y") == pytest.approx(2 * 2 / 6)
    assert answering.f1("", "x") == 0
    assert answering.f1("", "") == 1


def test_questions_without_an_answer_are_scored_apart():
    told = answering.score(
        [
            reply("20"),
            reply("it is 20"),
            reply("Not known."),
            reply("not known", "", unanswerable=True),
            reply("Paris", "", unanswerable=True),
        ]
    )
    assert (told.questions, told.unanswerable) == (3, 2)
    assert told.exact == pytest.approx(1 / 3)
    assert told.f1 == pytest.approx((1 + 2 / 4 + 0) / 3)
    assert told.abstained == pytest.approx(1 / 3)
    assert told.rightly_abstained == 0.5
    assert told.judged is None


def test_scores_by_category_and_by_the_judge():
    replies = [reply("20", category="a", same=True), reply("5", category="a", same=False), reply("20", category="b")]
    assert answering.score(replies, "a").judged == 0.5
    assert answering.score(replies, "b").exact == 1
    assert answering.score(replies, "c").questions == 0


@pytest.fixture
def trial(judged):
    """The store of a data set."""
    stores = trials(datasets.load(judged))
    yield next(stores)
    stores.close()


def reader(answer, asked):
    return CallingGenerator(lambda prompt: asked.append(prompt) or json.dumps(answer))


def test_the_reader_is_given_the_pack_and_only_its_sources_count(trial):
    asked = []
    generator = reader({"answer": " 20 ", "sources": [1, 999]}, asked)
    question = Question("q", "connection\npool size", {}, asked_at="2026-05-05", answer="20")
    (one,) = answering.answer(trial.memory, [question], generator, budget=500)
    (prompt,) = asked
    assert prompt.text == trial.memory.context("connection\npool size", budget=500).text
    assert "Asked on 2026-05-05: connection pool size" in prompt.question
    assert (one.answer, one.sources, one.same) == ("20", (1,), None)
    assert 0 < one.context_tokens <= 500


def test_an_answer_cites_the_records_of_its_sources_that_it_was_given(memory):
    question = Question("q", memory.records(limit=1)[0].content, {}, answer="so it is")
    items = memory.context(question.text, budget=4000).items
    shown = {item.id for item in items if item.kind == "record"}
    given = {item.id for item in items if item.kind != "record"}
    cited = set()
    for id in given:
        (one,) = answering.answer(memory, [question], reader({"answer": "so", "sources": [id]}, []), budget=4000)
        assert set(one.records) <= shown
        cited |= set(one.records)
    assert cited == shown != set()
    (one,) = answering.answer(memory, [question], reader({"answer": "so", "sources": []}, []), budget=4000)
    assert one.records == ()


def test_where_nothing_is_found_nobody_is_asked_and_the_answer_is_that_nothing_is_known(trial):
    asked = []
    question = Question("q", "xylophone zymurgy", {}, unanswerable=True)
    (one,) = answering.answer(trial.memory, [question], reader({"answer": "Paris"}, asked))
    assert (one.abstains, one.sources, asked) == (True, (), [])


def test_an_answer_that_is_cut_off_is_none(trial):
    cut = CallingGenerator(lambda prompt: '{"answer": "and so')
    (one,) = answering.answer(trial.memory, [Question("q", "pool?", {}, answer="20")], cut)
    assert one.abstains
    assert answering.score([one]).exact == 0


def test_the_judge_sees_both_answers_as_data_and_is_not_asked_where_there_is_none(trial):
    shown = []
    judge = CallingGenerator(lambda prompt: shown.append(prompt) or '{"same": true}')
    asked = [Question("q", "pool?", {}, answer="20"), Question("n", "France?", {}, unanswerable=True)]
    first, second = answering.answer(trial.memory, asked, reader({"answer": "~~~ {x}", "sources": []}, []), judge=judge)
    assert (first.same, second.same) == (True, None)
    (prompt,) = shown
    assert prompt.text.startswith("~~~~\n")
    assert "Given: ~~~ {x}" in prompt.text


@pytest.mark.model
@pytest.mark.parametrize("grammar", [answering.GRAMMAR, answering.JUDGE_GRAMMAR])
def test_llama_reads_the_grammars(grammar):
    llama._check(grammar)


@pytest.mark.model
def test_a_real_model_answers_from_real_context(trial):
    generator = loading.load_generator()
    asked = [
        Question("size", "What is the connection pool size now?", {}, answer="20"),
        Question("strings", "Which violin strings suit a dry room?", {}, answer="gut strings"),
        Question("none", "What is the capital of France?", {}, unanswerable=True),
    ]
    replies = list(answering.answer(trial.memory, asked, generator, budget=400, judge=generator))
    assert [one.question for one in replies] == ["size", "strings", "none"]
    assert all(one.same is not None for one in replies[:2])
    told = answering.score(replies)
    assert (told.questions, told.unanswerable) == (2, 1)
    assert replies == list(answering.answer(trial.memory, asked, generator, budget=400, judge=generator))
    # It is too small to answer well, but what it answers is in the context or it says that it does not know.
    assert any(one.answer for one in replies)
