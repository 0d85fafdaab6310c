"""What is left of a window's records at its end: the same thing once, and of a corrected one only the last word.

Two records are of the same claim when they agree in all but numbers, dates and negations; the later one stands. Where a
message opens by correcting (`no, wait`, `actually`), half of the words are enough.
"""

import re
from collections.abc import Sequence

from memlite.text.slug import stem
from memlite.text.words import rarity, words
from memlite.types.records import Heard, Record

SAME, CORRECTED = 0.8, 0.5
"""Share of the weightier words that two records of one claim have in common."""
LEAST = 2
"""Weightier words that two records must share to be compared at all."""

_CORRECTING = re.compile(
    r"\s*(?:oh |ah |hm+ |ok |sorry,? )?(?:no(?=[,. ])|nope|wait|actually|correction|scratch that|sorry, (?:i meant"
    r"|it(?:'s| is))|i meant"
    r"|change of plan|update|não|nein|non|espera|doch nicht|korrektur)\b",
    re.IGNORECASE,
)
_CALENDAR = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december week weekend
    """.split()
)


def settle(records: Sequence[Record], messages: Sequence[Heard]) -> list[Record]:
    """Drop what a later record says again or says otherwise."""
    correcting = {message.ply for message in messages if _CORRECTING.match(message.content)}
    bags = [_bag(record.content) for record in records]
    return [
        record
        for number, record in enumerate(records)
        if not any(
            _replaces(bags[later], bags[number], CORRECTED if _corrects(records[later], record, correcting) else SAME)
            for later in range(number + 1, len(records))
        )
    ]


def _corrects(later: Record, earlier: Record, correcting: set[int]) -> bool:
    return later.ply in correcting and later.ply > earlier.ply and later.speaker == earlier.speaker


def _bag(content: str) -> frozenset[str]:
    """The weightier words of a record, without those that a correction changes."""
    stems = (stem(word) for word in words(content) if rarity(word) > 0.1)
    return frozenset(word for word in stems if word not in _CALENDAR and not any(map(str.isdigit, word)))


def _replaces(later: frozenset[str], earlier: frozenset[str], share: float) -> bool:
    """Say whether two bags of words are of the same claim."""
    both = len(earlier & later)
    return both >= LEAST and both >= share * len(earlier | later)
