"""Whether a text says no where the exchange said yes, or the other way round.

`Do not use Redis` and `use Redis` have the same words, so that a gate that looks at words lets one pass for the other.
Telling what a sentence denies takes understanding; what takes none is two words side by side that stood behind a
negation wherever they were said and do not now, or the reverse. On the gold cores of the labelled conversations this
finds one dropped negation in three and nearly half of the added ones, and objects to five right cores in a thousand.
Where it sees nothing (other word orders, scripts without spaces) it objects to nothing.
"""

import re

from memlite.grounding.said import NEGATION, Said, sequence
from memlite.text.words import rarity

REACH = 4
"""How many words before the two a negation still bears on them."""
_VERBAL = re.compile(r"not|never|cannot|\w+n[’']t|dont|doesnt|didnt|cant|wont|isnt|nicht|pas|jamais|nunca|não")
"""Negations of a verb. What `no` and `without` add is often a resolved `there is none`."""
_TELLING = 0.3
"""Rarity that two words must have together: `it is` stands behind a negation by chance."""


def negation_fault(text: str, said: Said) -> str:
    """Say whether a text dropped or added a negation."""
    found = sequence(text).split()
    for at in range(len(found) - 1):
        pair = found[at : at + 2]
        if any(map(_is_mark, pair)) or any(map(NEGATION.fullmatch, pair)) or sum(map(rarity, pair)) <= _TELLING:
            continue
        phrase = " ".join(pair)
        if not _denies(found, at):
            if phrase in said.denied and _always_behind_one(phrase, said):
                return "negation changed"
        elif _VERBAL.fullmatch(found[at - 1]) and _never_denied(phrase, said):
            return "negation changed"
    return ""


def _is_mark(token: str) -> bool:
    return not token[0].isalnum()


def _denies(before: list[str], at: int) -> bool:
    """Say whether a negation bears on the word at a place: it stands a little before it, in the same clause."""
    for token in reversed(before[max(0, at - REACH) : at]):
        if token in ".;:!?":
            return False
        if NEGATION.fullmatch(token):
            return True
    return False


def _always_behind_one(phrase: str, said: Said) -> bool:
    return said.sequence.count(f" {phrase} ") <= said.denied[phrase]


def _never_denied(phrase: str, said: Said) -> bool:
    """Say whether two words were said together, and no negation bore on them."""
    at = said.sequence.find(f" {phrase} ")
    if at < 0:
        return False
    while at >= 0:
        before = said.sequence[max(0, at - 80) : at].split()
        if _denies(before, len(before)):
            return False
        at = said.sequence.find(f" {phrase} ", at + 1)
    return True
