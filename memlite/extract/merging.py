"""What becomes of a model's record beside those that a message has already.

It may say what is known better or say something new, and it may not take anything away: a record that is there gives
way only to one that says the same and keeps its telling words, its names, its numbers and every dimension it has.
Without the words `the sister is damp` would take the place of `the flat is damp`.
"""

import re
from collections.abc import Mapping

from memlite.text.slug import stem
from memlite.text.words import rarity, words
from memlite.types.records import Record, RecordView

SAME = 0.6
"""Word F1 from which two records of one message say the same."""
DIMENSIONS = ("location", "reason", "purpose")
_EXACT = re.compile(r"\d|[A-Z]")


Claim = Record | RecordView


def give_way(record: Claim, there: Mapping[int, Claim]) -> list[int] | None:
    """Return which of the records that are there a new one takes the place of; None when it is one too many.

    Where it says what none of them does, that is none of them.
    """
    mine = bag(record.content)
    alike = {id: one for id, one in there.items() if f1(mine, bag(one.content)) >= SAME}
    return list(alike) if all(_carries(record, one) for one in alike.values()) else None


def bag(text: str) -> frozenset[str]:
    """Return the words of a text, case folded."""
    return frozenset(word.casefold() for word in words(text))


def f1(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how far two sets of words agree."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _carries(record: Claim, other: Claim) -> bool:
    """Say whether a record has all that another has, and is not the same."""
    if record.content.casefold() == other.content.casefold():
        return False
    if not _telling(other.content) <= _telling(record.content):
        return False
    timed = other.time_start or other.time_end
    if timed and (record.time_start, record.time_end) != (other.time_start, other.time_end):
        return False
    return all(_holds(getattr(record, name), getattr(other, name)) for name in DIMENSIONS)


def _telling(text: str) -> frozenset[str]:
    """Names and numbers as written, and the other words that tell something, without their endings."""
    return frozenset(word if _EXACT.search(word) else stem(word) for word in words(text) if rarity(word) > 0)


def _holds(mine: str, theirs: str) -> bool:
    return not theirs or f1(bag(mine), bag(theirs)) >= SAME
