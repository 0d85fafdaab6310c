"""What a question constrains, and what each part then weighs."""

from itertools import combinations

import pytest

from memlite.retrieve.analyse import analyse
from memlite.retrieve.dimensional import WEIGHTS, constrains, wanted, weights
from memlite.store.record_routes import PARTS, Wanted
from memlite.types.query import Analysis, Filters

GIVEN = {
    "times": (("2023-05-01", "2023-05-31"),),
    "locations": ('"lisbon"',),
    "keywords": (("greyhound",),),
    "types": ("episodic",),
    "speakers": ("Nadia",),
    "answer": "reason",
}
PART = {
    **{"times": {"time"}, "locations": {"location"}, "keywords": {"phrase", "token"}, "types": {"type"}},
    **{"speakers": {"speaker"}, "answer": {"answer"}},
}
SUBSETS = [fields for size in range(len(GIVEN) + 1) for fields in combinations(GIVEN, size)]


@pytest.mark.parametrize("fields", SUBSETS, ids="+".join)
def test_the_weights_of_what_is_constrained_add_up_to_one(fields):
    asked = Wanted(**{name: GIVEN[name] for name in fields})
    made = weights(asked)
    active = set().union(*(PART[name] for name in fields))
    assert set(made) == active
    assert sum(made.values()) == (pytest.approx(1) if fields else 0)
    for one, other in combinations(active, 2):  # shared out again, in the same proportions
        assert made[one] / made[other] == pytest.approx(WEIGHTS[one] / WEIGHTS[other])
    assert constrains(asked) == bool({"times", "locations", "keywords", "speakers"} & set(fields))


def test_every_part_has_a_weight():
    assert set(WEIGHTS) == set(PARTS)


def test_a_speaker_is_wanted_as_a_speaker_and_not_as_a_word():
    analysis = analyse("Why did Nadia leave the Guinea Pigs in Lisbon in May 2023?", Filters()).analysis
    asked = wanted(analysis, ["Nadia"])
    assert asked.speakers == ("Nadia",)
    assert ("nadia",) not in asked.keywords
    assert ("guinea", "pig") in asked.keywords
    assert (asked.times, asked.answer) == ((("2023-05-01", "2023-05-31"),), "reason")
    assert asked.locations == ('"Lisbon"',)


@pytest.mark.parametrize("text", ["", "why?", "what is it", "did they?", "?!"])
def test_a_question_without_a_constraint_wants_nothing(text):
    assert not constrains(wanted(analyse(text, Filters()).analysis, ()))


def test_a_place_without_a_letter_is_no_place():
    assert wanted(Analysis(locations=("---", "Porto")), ()).locations == ('"Porto"',)
