"""Tests of memlite.extract.claims."""

import pytest

from memlite.extract.claims import cause, joined, photos, pieces, unbound
from memlite.types.records import Heard


def texts(content):
    return [[piece.text for piece in sentence] for sentence in pieces(Heard(0, "user", content), ())]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("I moved to Porto and my sister lives in Lisbon.", [["I moved to Porto", "my sister lives in Lisbon."]]),
        ("I turned on the lint rule and went to bed.", [["I turned on the lint rule", "went to bed."]]),
        ("Salt and pepper are in the drawer.", [["Salt and pepper are in the drawer."]]),
        ("Thanks!!", []),
        ("My password is hunter2hunter2. I like tea.", [["I like tea."]]),
        ("```\nimport os\n```\nThe build is green.", [["The build is green."]]),
    ],
)
def test_pieces(content, expected):
    assert texts(content) == expected


def flags(content):
    return [
        [name for name in ("asked", "supposed", "causal", "following") if getattr(piece, name)]
        for sentence in pieces(Heard(0, "user", content), ())
        for piece in sentence
    ]


def test_what_a_piece_is_no_statement_for():
    assert flags("Should I use Rust?") == [["asked"]]
    assert flags("what do we eat without a fridge") == [["asked"]]
    assert flags("If I win the lottery, I'm buying a boat.") == [["supposed"], ["supposed"]]
    assert flags("We left the party early because the road was closed.") == [[], ["causal"]]
    assert flags("The commute is an hour each way, so I'm looking for a room.") == [[], ["following"]]


def test_a_cause_and_what_ties_pieces():
    assert cause("because the road was closed.") == "the road was closed"
    assert cause("the road was closed") == ""
    assert unbound("and then we left") == "we left"
    assert joined(["but Ana left", "Bo stayed"]) == "Ana left, Bo stayed"


def test_photos():
    content = "Look!\n[shares a photo: a red bicycle]"
    assert list(photos(Heard(0, "user", content))) == [("a red bicycle", 6, len(content))]
    assert [caption for caption, _, _ in photos(Heard(0, "user", "Look!", caption="a red bicycle"))] == [
        "a red bicycle"
    ]
    assert texts(content) == [["Look!"]]
