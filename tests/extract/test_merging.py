"""Which of two records of one message stays: nothing that is known is lost to a weaker record."""

import pytest
from msgspec import structs

from memlite.extract.merging import give_way
from memlite.types.records import Record

THERE = Record(
    "Nadia moved to Porto in May 2023.",
    "episodic",
    4,
    0,
    10,
    time_start="2023-05",
    time_end="2023-05",
    location="Porto",
)
FULLER = structs.replace(THERE, content="Nadia moved to Porto with Biscuit in May 2023.")


@pytest.mark.parametrize(
    ("record", "gone"),
    [
        (FULLER, [7]),
        (structs.replace(FULLER, reason="the rent"), [7]),
        (structs.replace(FULLER, location="the city of Porto"), None),
        (structs.replace(FULLER, location=""), None),
        (structs.replace(FULLER, time_end=None), None),
        (structs.replace(FULLER, content="Nadia moved to Leith with Biscuit in May 2023."), None),
        (structs.replace(FULLER, content="Nadia moved with Biscuit in May 2023."), None),
        (structs.replace(FULLER, content="Nadia walked to Porto with Biscuit in May 2023."), None),
        (THERE, None),
        (structs.replace(FULLER, content="Her landlord had sold the flat to a bank."), []),
    ],
)
def test_a_record_gives_way_only_to_one_that_has_all_it_has(record, gone):
    assert give_way(record, {7: THERE}) == gone


def test_where_nothing_is_there_a_record_is_new():
    assert give_way(THERE, {}) == []


def test_one_may_take_the_place_of_two_and_must_carry_both():
    other = structs.replace(THERE, content="Nadia moved to Porto with Biscuit.", time_start=None, time_end=None)
    assert give_way(FULLER, {7: THERE, 8: other}) == [7, 8]
    assert give_way(FULLER, {7: THERE, 8: structs.replace(other, reason="the rent")}) is None
