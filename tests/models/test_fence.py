"""The fence: what stands in it is data, whatever it says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.models.fence import MOST_TILDES, fenced
from tests.generators import INJECTED


def inside(text):
    """What stands between the first line and the last, which are one fence."""
    lines = text.split("\n")
    assert re.fullmatch("~{3,}", lines[0])
    assert lines[0] == lines[-1]
    return lines[0], "\n".join(lines[1:-1])


@pytest.mark.parametrize("text", INJECTED)
def test_nothing_that_was_said_ends_the_fence_or_is_changed(text):
    fence, held = inside(fenced(text))
    assert held == text
    assert fence not in held


@given(st.text() | st.text("~\nx"))
def test_no_line_of_a_text_is_as_long_as_its_fence(text):
    fence, held = inside(fenced(text))
    assert fence not in held
    assert len(fence) <= MOST_TILDES + 1


def test_a_line_of_a_thousand_tildes_makes_no_longer_fence():
    text = fenced("above\n" + "~" * 5_000 + "\nbelow")
    fence, held = inside(text)
    assert held == f"above\n{'~' * MOST_TILDES}\nbelow"
    assert fence == "~" * (MOST_TILDES + 1)
