"""Windows over a conversation: new messages to read, and a few before them to understand them by.

Each message is new in exactly one window, so nothing is extracted twice and nothing is left out.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memlite.types.records import Heard, Window
from memlite.types.transcript import Style


class Size(NamedTuple):
    """How much a window holds, and how much of that was in the one before."""

    size: int
    overlap: int


PRESETS: dict[Style, Size] = {"assistant": Size(15, 3), "peers": Size(25, 5)}
"""With an assistant the user's messages are counted, and its answers come along; between people every message is."""


def windows(
    messages: Sequence[Heard], style: Style, size: int | None = None, overlap: int | None = None
) -> Iterator[Window]:
    """Yield the windows of a conversation, whose messages come in order.

    :raises ValueError: the overlap is negative, or leaves no room for a new message
    """
    size = PRESETS[style].size if size is None else size
    overlap = PRESETS[style].overlap if overlap is None else overlap
    if not 0 <= overlap < size:
        raise ValueError(f"a window of {size} messages cannot overlap by {overlap}")
    marks = [0] + [at for at, one in enumerate(messages) if at and (style == "peers" or one.role == "user")]
    start = 0
    while start < len(marks) and messages:
        stop = start + (size if not start else size - overlap)
        context = marks[max(0, start - overlap)]
        end = marks[stop] if stop < len(marks) else len(messages)
        yield Window(tuple(messages[context:end]), marks[start] - context, style)
        start = stop
