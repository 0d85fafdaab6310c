"""What follows from decisions about pairs, in whatever order records came."""

import itertools

import pytest

from memlite.types.records import Record
from memlite.types.update import KeepBoth, Merge, Retract, Supersede
from memlite.update.chain import Dated, Validity, settle


def dated(id, day):
    at = f"{day}T00:00:00.000Z"
    record = Record(content=f"Claim {id}", type="fact", ply=0, start=0, end=1, said_at=at)
    return Dated(id, record, "", (at, at, "c", id, 0))


def at(day):
    return f"{day}T00:00:00.000Z"


RECORDS = {1: dated(1, "2023-01-01"), 2: dated(2, "2024-01-01"), 3: dated(3, "2025-01-01")}
ALL = {(1, 2): Supersede("new"), (2, 3): Supersede("new"), (1, 3): Supersede("new")}


@pytest.mark.parametrize("order", list(itertools.permutations(RECORDS)))
def test_a_chain_ends_in_one_active_record(order):
    held = settle({id: RECORDS[id] for id in order}, ALL)
    assert held == {
        1: Validity(at("2023-01-01"), at("2024-01-01"), 2, "supersede"),
        2: Validity(at("2024-01-01"), at("2025-01-01"), 3, "supersede"),
        3: Validity(at("2025-01-01")),
    }


def test_what_says_the_same_holds_from_the_first_time_it_was_said():
    held = settle(RECORDS, {(1, 2): Merge("same"), (2, 3): Merge("same"), (1, 3): Merge("same")})
    (active,) = [id for id, one in held.items() if one.closed_how is None]
    assert held[active].valid_from == at("2023-01-01")
    assert {one.closed_by for id, one in held.items() if id != active} == {active}
    assert {one.closed_how for id, one in held.items() if id != active} == {"merge"}


def test_what_comes_back_is_a_stretch_of_its_own():
    """Paris, Rome, Paris: the first Paris stays closed."""
    held = settle(RECORDS, {(1, 2): Supersede("new"), (2, 3): Supersede("new"), (1, 3): Merge("same")})
    assert held[1].closed_by == 2
    assert held[3] == Validity(at("2025-01-01"))


def test_what_is_over_ends_without_a_successor_that_stands_for_it():
    held = settle(RECORDS, {(1, 2): Retract("over")})
    assert held[1] == Validity(at("2023-01-01"), at("2024-01-01"), 2, "retract")
    assert held[3] == Validity(at("2025-01-01"))


def test_keeping_both_changes_nothing():
    held = settle(RECORDS, {(1, 2): KeepBoth("two things")})
    assert {one.closed_how for one in held.values()} == {None}


def test_an_interval_never_inverts():
    late = dated(1, "2026-01-01")
    early = Dated(2, RECORDS[2].record, "", (at("2026-06-01"), "", "c", 9, 0))
    held = settle({1: late, 2: early}, {(1, 2): Supersede("new")})
    assert held[1].valid_to is None or held[1].valid_from <= held[1].valid_to
