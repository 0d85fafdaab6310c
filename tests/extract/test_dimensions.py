"""Tests of memlite.extract.dimensions."""

import pytest

from memlite.extract.dimensions import place, purpose, reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana lives in Porto.", "Porto"),
        ("Ana moved to New York in May 2022.", "New York"),
        ("The meeting is in May 2022.", ""),
        ("The spare key is in the kitchen.", "the kitchen"),
        ("Ana met Bo at the public library.", "the public library"),
        ("The fix is on staging.", "staging"),
        ("Ana trusts in Bo.", ""),
        ("Ana is at Helena's.", "Helena's"),
    ],
)
def test_place(text, expected):
    assert place(text, frozenset(["Bo"])) == expected


def test_reason_and_purpose():
    assert reason("Ana left early because the road was closed.")[0] == "the road was closed"
    assert reason("Ana has known Bo since 2016.") == ("", "Ana has known Bo since 2016.")
    assert purpose("Ana moved to Porto to be near her mother.") == "to be near her mother"
    assert purpose("Ana bought a ticket for my sister's wedding.") == "for my sister's wedding"
    assert purpose("Ana booked a table for Wednesday.") == ""
    assert purpose("Ana goes to the gym.") == ""
