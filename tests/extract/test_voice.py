"""Tests of memlite.extract.voice."""

import pytest

from memlite.extract.voice import Voice, capitalised, lead, lowered, possessive, third_person

ANA = Voice("Ana", "Bo")


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ("I live in Porto", "Ana lives in Porto"),
        ("I'm a nurse", "Ana is a nurse"),
        ("im a nurse", "Ana is a nurse"),
        ("I've been ill", "Ana has been ill"),
        ("I'd bought two", "Ana had bought two"),
        ("I'd take the train", "Ana would take the train"),
        ("I'll call", "Ana will call"),
        ("I really don't eat meat", "Ana really doesn't eat meat"),
        ("I haven't slept", "Ana hasn't slept"),
        ("I went home", "Ana went home"),
        ("I cut the cost", "Ana cut the cost"),
        ("I fly on Monday", "Ana flies on Monday"),
        ("I watch birds", "Ana watches birds"),
        ("we moved here", "Ana moved here"),
        ("my sister gave me her car", "Ana's sister gave Ana her car"),
        ("our house is old", "Ana's house is old"),
        ("I did it myself", "Ana did it themself"),
        ("I have your pot", "Ana has Bo's pot"),
        ("you said no", "Bo said no"),
        ("I told you", "Ana told Bo"),
        ("the I/O is slow", "the I/O is slow"),
        ("see (i) and (ii)", "see (i) and (ii)"),
        ("the army marched", "the army marched"),
        ("well under a second", "well under a second"),
        ("he was ill yesterday", "he was ill yesterday"),
        ("id say no", "Ana would say no"),
        ("well go home", "Ana will go home"),
    ],
)
def test_third_person(said, reads):
    assert third_person(said, ANA) == reads


def test_you_stays_where_nobody_is_known():
    assert third_person("you see my line", Voice("Ana")) == "you see Ana's line"


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ("Paid the deposit", "Ana paid the deposit"),
        ("just finished the book", "Ana just finished the book"),
        ("moving to Bristol", "Ana is moving to Bristol"),
        ("need a plumber", "Ana needs a plumber"),
        ("can't eat nuts", "Ana can't eat nuts"),
        ("don't like heights", "Ana doesn't like heights"),
        ("don't tell the boys", "don't tell the boys"),
        ("shared drive is full", "shared drive is full"),
        ("nothing happened", "nothing happened"),
        ("The car broke", "The car broke"),
        ("use the cache", "Ana uses the cache"),
        ("asking more often returns the same number", "asking more often returns the same number"),
        ("thinking of the plans for May", "Ana is thinking of the plans for May"),
        ("can't, cooking all day", "can't, cooking all day"),
        ("was an old gallery on 8000", "was an old gallery on 8000"),
        ("was at the dentist", "Ana was at the dentist"),
    ],
)
def test_lead(said, reads):
    assert lead(said, ANA) == reads


def test_sentence_case():
    assert possessive("Marcus") == "Marcus's"
    assert capitalised("the user left") == "The user left"
    assert capitalised("main.rs has it") == "main.rs has it"
    assert lowered("Paid it") == "paid it"
    assert lowered("SET x") == "SET x"


def test_a_file_name_is_no_verb():
    assert third_person("I cache.py", Voice("Ana")) == "Ana cache.py"
