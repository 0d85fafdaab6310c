"""A window cut to what a model takes at once: a few messages to read, and a few before them to understand them by.

Small models lose track of what is far above, and an answer must end before its tokens do. So a piece has few messages,
and a message that is too long for one is cut at its sentences and read part by part: nothing is left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, structs

from memlite.text.clauses import readable
from memlite.types.records import Heard, Window

MOST_NEW = 4
"""Messages to read at once."""
MOST_BEFORE = 3
LEAST = 40
"""Letters below which a text is not cut any more."""
_END = re.compile(r"[.!?\n。！？]\s*")


class Piece(Struct, frozen=True):
    """Messages to read, and those that give context."""

    context: tuple[Heard, ...]
    new: tuple[Heard, ...]


def pieces(window: Window, fits: Callable[[Sequence[Heard], Sequence[Heard]], bool]) -> Iterator[Piece]:
    """Yield what a window is read in; `fits` says whether a model takes a context and the messages to read at once."""
    before = list(window.messages[: window.overlap])
    group: list[Heard] = []
    for part in _parts(window.new, lambda part: fits((), [part])):
        if group and (len(group) == MOST_NEW or not fits((), [*group, part])):
            yield _piece(before, group, fits)
            before += group
            group = []
        group.append(part)
    if group:
        yield _piece(before, group, fits)


def _piece(
    before: Sequence[Heard], group: Sequence[Heard], fits: Callable[[Sequence[Heard], Sequence[Heard]], bool]
) -> Piece:
    """Give a group as much context as there is room for."""
    context = next(rest for n in range(MOST_BEFORE, -1, -1) if fits(rest := before[len(before) - n :], group) or not n)
    return Piece(tuple(context), tuple(group))


def _parts(messages: Sequence[Heard], fits: Callable[[Heard], bool]) -> Iterator[Heard]:
    """The messages that say something; of one that is too long, its parts."""
    for message in messages:
        yield from _halved(structs.replace(message, content=readable(message.content).strip()), fits)


def _halved(message: Heard, fits: Callable[[Heard], bool]) -> Iterator[Heard]:
    content = message.content
    if not content:
        return
    if len(content) <= LEAST or fits(message):
        yield message
        return
    middle = len(content) // 2
    ends = [found.end() for found in _END.finditer(content, middle // 2, middle)]
    cut = (ends or [content.rfind(" ", 1, middle) + 1 or middle])[-1]
    for part in (content[:cut], content[cut:]):
        yield from _halved(structs.replace(message, content=part.strip()), fits)
