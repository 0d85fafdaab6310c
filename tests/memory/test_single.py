"""The object of a conversation that no store holds."""

import pytest

from memlite.distill import distil
from memlite.errors import UsageError
from memlite.memory.single import distil_messages
from memlite.types.palace import Exchange, Turn
from tests.generators import CallingGenerator
from tests.memory.conftest import BETTER, BILLING, better

SAID = [{"role": role, "content": text.format(7, 7)} for role, text in zip(("user", "assistant"), BILLING, strict=True)]


def test_rules_make_the_object_that_a_store_would_hold():
    made = distil_messages(SAID)
    same = distil(Exchange(tuple(Turn(message["role"], message["content"]) for message in SAID)))
    assert (made.exchange_core, made.specific_context, made.rooms) == (
        *(same.exchange_core, same.specific_context, same.rooms),
    )
    assert (made.engine, made.outcomes) == ("extractive", {})
    assert 0 < made.vocab_survival <= 1


def test_a_model_makes_it_better():
    made = distil_messages(SAID, CallingGenerator(better))
    assert (made.exchange_core, made.engine) == (BETTER.format(7, 7, 7), "gguf")
    assert set(made.outcomes.values()) == {"improved"}


def test_a_strategy_says_how_the_model_is_asked():
    generator = CallingGenerator(better)
    assert set(distil_messages(SAID, generator, "copy").outcomes) == {"exchange_core"}
    assert len(generator.given) == 1
    with pytest.raises(UsageError, match="'guess'"):
        distil_messages(SAID, generator, "guess")


def test_tools_give_files_and_people_keep_their_names():
    use = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "/app/pool.py"}}
    text = {"type": "text", "text": "The pool holds twenty connections now."}
    made = distil_messages([SAID[0], {"role": "assistant", "content": [text, use]}])
    assert [(file.path, file.action) for file in made.files] == [("/app/pool.py", "modified")]
    people = [
        {"speaker": "Nadia", "content": "My ferry to Bergen leaves at nine."},
        {"speaker": "Ilias", "content": "OK."},
    ]
    assert distil_messages(people).exchange_core.startswith("Nadia: ")


def test_nothing_but_filler_has_no_core():
    generator = CallingGenerator(better)
    made = distil_messages([{"role": "user", "content": "…"}], generator)
    assert (made.exchange_core, made.engine, generator.given) == ("", "extractive", [])


@pytest.mark.parametrize("messages", [[], [{"role": "user", "content": ""}], [{"content": "who?"}], [{"role": "king"}]])
def test_messages_that_say_nothing_or_cannot_be_read(messages):
    with pytest.raises(UsageError):
        distil_messages(messages)


def test_an_answer_that_cannot_be_read_leaves_what_the_rules_made():
    made = distil_messages(SAID, CallingGenerator(lambda prompt: "junk"))
    assert (made.exchange_core, made.engine) == (distil_messages(SAID).exchange_core, "extractive")
    assert made.outcomes == dict.fromkeys(
        ("exchange_core", "specific_context", "rooms"), "the answer is no JSON object"
    )
