"""What a record may be made of: the check that nothing in one is invented."""

import re

from memlite.extract.verbs import third
from memlite.text.words import words
from memlite.types.records import Record, Window

FUNCTION = frozenset(
    """
    is are has had was does will would doesn't hasn't isn't wasn't wants to recommended themself shares a photo on in at
    from the of de week weekend
    """.split()
)
"""The words that rewriting may add."""
CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december spring summer autumn winter
    """.split()
)
ROLES = frozenset("user assistant user's assistant's".split())


def invented(record: Record, window: Window) -> set[str]:
    """The words of an English record that are neither said in its message nor allowed to be added."""
    message = next(one for one in window.messages if one.ply == record.ply)
    said = _parts(message.content + " " + message.caption)
    names = _parts(" ".join(one.speaker for one in window.messages))
    allowed = said | {third(word) for word in said} | FUNCTION | CALENDAR | ROLES | names
    return {
        word
        for word in _folded(record.content)
        if word not in allowed
        and word.strip("_") not in allowed
        and word.removesuffix("'s") not in allowed
        and not re.fullmatch(r"[\d:.]+", word)
    }


def _folded(text: str) -> set[str]:
    return {word.casefold().replace("’", "'") for word in words(text)}


def _parts(text: str) -> set[str]:
    """Words, and what is left of them at an apostrophe, dot or dash."""
    found = _folded(text)
    return found | {word.strip("_") for word in found} | {part for word in found for part in re.split(r"['./_-]", word)}
