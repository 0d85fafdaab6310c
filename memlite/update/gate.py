"""The cheap tests that a pair of records must pass before anything dear is asked of it (DimMem's keyword gate).

Two records may speak of the same when they share enough of their keywords, give a value to the same thing, or say the
same word for word. All three are found in an index, by what is here called a record's traits: never are all pairs made.
"""

from functools import lru_cache

from msgspec import Struct

from memlite.text.digest import words_digest
from memlite.types.records import Record
from memlite.update import values
from memlite.update.claims import NOBODY, ONE_AT_A_TIME, claim

OVERLAP = 0.3
"""Jaccard of the keywords from which two records may speak of one thing (DimMem's figure)."""


class Traits(Struct, frozen=True):
    """What a record can be found by when another speaks of the same."""

    words: frozenset[str]
    slots: frozenset[str]
    """The things it gives a value to: `home of user`, `= of api timeout`."""
    text: str
    """A hash of its words."""


def traits(record: Record) -> Traits:
    """Return what a record can be found by."""
    told = claim(record.content)
    slots = (f"{one.name} of {' '.join(sorted(one.subject))}" for one in told.attributes)
    # Who speaks is in most records of a talk between two, and tells nothing of what.
    about = folded(record.keywords) - values.roots(record.speaker)
    return Traits(about, frozenset(slots), words_digest(told.said).hex())


def is_personal(record: Record) -> bool:
    """Say whether a record is about a person, and so about the same one in every project."""
    personal = any(one.name in ONE_AT_A_TIME for one in claim(record.content).attributes)
    return personal or record.type == "profile"


@lru_cache(maxsize=65_536)
def folded(keywords: tuple[str, ...]) -> frozenset[str]:
    """Return the words of keywords without inflections, one name for a thing of several."""
    return frozenset(root for keyword in keywords for root in values.roots(keyword)) - NOBODY


def jaccard(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Return how far two sets of keywords agree, 0 to 1; 0 where either is empty."""
    mine, theirs = folded(one), folded(other)
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0
