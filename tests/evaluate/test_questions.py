"""Questions made of a store: the same by seed, of text the objects do not hold, and answered by their exchange."""

from collections import Counter

import pytest

from memlite.evaluate import questions
from memlite.text.words import words

COUNT = 60


@pytest.fixture
def made(memory):
    return questions.generate(memory, COUNT)


def test_equal_seeds_give_equal_questions(memory, made):
    assert questions.generate(memory, COUNT) == made
    assert questions.generate(memory, COUNT, seed=1) != made


def test_there_are_as_many_as_asked_for_of_every_kind_and_none_twice(memory, made):
    assert len(made) == COUNT
    assert min(Counter(one.category for one in made)[kind] for kind in questions.KINDS) >= COUNT // 5
    assert len({one.id for one in made}) == COUNT
    assert len(questions.generate(memory, 7)) == 7


def test_an_exchange_is_asked_for_again_only_when_all_were(memory):
    few = questions.generate(memory, 10)
    assert len({one.id.split("-")[1] for one in few}) == 10


def exchange_of(memory, question):
    return memory.get(int(question.id.split("-")[1]))


def test_gold_is_the_exchange_the_text_is_from(memory, made):
    for one in made:
        view = exchange_of(memory, one)
        assert set(one.gold) == {message.external_id or f"#{message.id}" for message in view.messages}
        said = {word.casefold() for message in view.messages for word in words(message.content)}
        assert {word.casefold() for word in words(one.text)} <= said


def test_no_passage_is_part_of_the_object(memory):
    for id in memory.exchange_ids():
        view = memory.get(id)
        if view.object:
            for passage in questions._held_out(view):
                assert passage not in view.object.exchange_core
                assert passage not in view.object.specific_context


def test_exact_and_phrase_are_said_once(memory, made):
    for one in made:
        if one.category == "phrase":
            assert len(memory.search(f'"{one.text}"', mode="bm25:verbatim").hits) == 1
        if one.category == "exact":
            for word in one.text.split(" "):
                assert len(memory.search(f'+"{word}"', mode="bm25:verbatim").hits) == 1


def test_concepts_give_no_number_and_no_order_away(made):
    for one in made:
        if one.category == "conceptual":
            assert not any(char.isdigit() for char in one.text)
            assert one.text.split(" ") == sorted(one.text.split(" "))


def test_an_empty_store_has_no_questions(tmp_path):
    from memlite.memory import Memory

    with Memory(tmp_path / "empty.db") as empty:
        assert questions.generate(empty, 5) == ()
