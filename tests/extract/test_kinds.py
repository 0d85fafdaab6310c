"""Tests of memlite.extract.kinds."""

import pytest

from memlite.extract.dates import times_of
from memlite.extract.kinds import signs_of, type_of


@pytest.mark.parametrize(
    ("content", "who", "expected"),
    [
        ("Ana hates cilantro.", "user", "profile"),
        ("Ana is allergic to peanuts.", "user", "profile"),
        ("Ana paid the deposit on 3 May 2022.", "user", "episodic"),
        ("Ana flies to Rome on 3 May 2022.", "peer", "episodic"),
        ("The cache is 64 MB.", "answer code", "fact"),
        ("The shed key is on the nail.", "peer", "fact"),
    ],
)
def test_type(content, who, expected):
    assert type_of(signs_of(content, who, frozenset(), times_of([content], None, "en")[0])) == expected
