"""Tests of memlite.extract.windows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.extract.windows import PRESETS, windows
from memlite.types.records import Heard


def heard(roles: str) -> list[Heard]:
    return [Heard(ply, "user" if role == "u" else "assistant", f"m{ply}") for ply, role in enumerate(roles)]


@given(st.text("ua", max_size=80), st.sampled_from(["assistant", "peers"]), st.integers(1, 12), st.data())
def test_each_message_is_new_once_and_the_rest_is_context(roles, style, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    messages = heard(roles)
    found = list(windows(messages, style, size, overlap))
    assert [one for window in found for one in window.new] == messages
    for number, window in enumerate(found):
        context = window.messages[: window.overlap]
        assert window.new
        first = window.new[0].ply
        assert [one.ply for one in context] == list(range(first - len(context), first))
        counted = [one for one in window.messages[1:] if style == "peers" or one.role == "user"]
        assert len(counted) <= size
        assert bool(context) == (bool(number) and overlap > 0)


def test_windows_of_an_assistant_count_the_users_messages():
    found = list(windows(heard("ua" * 40), "assistant"))
    assert [(w.messages[0].ply // 2 + 1, w.messages[-1].ply // 2 + 1) for w in found] == [
        (1, 15), (13, 27), (25, 39), (37, 40),
    ]  # fmt: skip
    assert [w.overlap for w in found] == [0, 6, 6, 6]


def test_windows_of_peers_count_every_message():
    found = list(windows(heard("ua" * 30), "peers"))
    assert [len(w.messages) for w in found] == [25, 25, 20]
    assert [w.overlap for w in found] == [0, 5, 5]
    assert PRESETS["peers"] == (25, 5)


@pytest.mark.parametrize(("size", "overlap"), [(3, 3), (3, -1), (0, 0)])
def test_a_window_needs_room_for_something_new(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        list(windows(heard("ua"), "peers", size, overlap))


def test_no_message_no_window():
    assert list(windows([], "assistant")) == []
