"""What is left of a window's records at its end: the same thing once, and of a corrected one only the last word.

Two records are of the same claim when they agree in all but numbers, dates and negations; the later one stands. Where a
message opens by correcting (`no, wait`, `actually`), half of the words are enough. What happened twice is two claims:
one that has happened is only said again when numbers and time are the same too, or when it is corrected. A plan moves.
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

    def is_replaced(number: int) -> bool:
        return any(
            _is_replaced(records[number], records[later], bags[number], bags[later], correcting)
            for later in range(number + 1, len(records))
        )

    return [record for number, record in enumerate(records) if not is_replaced(number)]


def _is_replaced(
    earlier: Record, later: Record, said: frozenset[str], said_later: frozenset[str], correcting: set[int]
) -> bool:
    if _corrects(later, earlier, correcting):
        return _same_claim(said_later, said, CORRECTED)
    if earlier.type == "episodic" and not _is_planned(earlier) and _exact(earlier) != _exact(later):
        return False
    return _same_claim(said_later, said, SAME)


def _is_planned(record: Record) -> bool:
    """Say whether an event was still to come when it was spoken of."""
    return bool(record.time_start and record.said_at) and str(record.time_start) > str(record.said_at)[:10]


def _exact(record: Record) -> tuple[frozenset[str], str | None, str | None]:
    """What tells one event from another of the same kind: its numbers and its time."""
    numbers = frozenset(word for word in words(record.content) if any(map(str.isdigit, word)))
    return numbers, record.time_start, record.time_end


def _corrects(later: Record, earlier: Record, correcting: set[int]) -> bool:
    return later.ply in correcting and later.ply > earlier.ply and later.speaker == earlier.speaker


def _bag(content: str) -> frozenset[str]:
    """The weightier words of a record, without those that a correction changes."""
    stems = (stem(word) for word in words(content) if rarity(word) > 0.1)
    return frozenset(word for word in stems if word not in _CALENDAR and not any(map(str.isdigit, word)))


def _same_claim(later: frozenset[str], earlier: frozenset[str], share: float) -> bool:
    """Say whether two bags of words are of the same claim."""
    both = len(earlier & later)
    return both >= LEAST and both >= share * len(earlier | later)
