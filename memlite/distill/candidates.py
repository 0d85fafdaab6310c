"""What else the rules could have made of an exchange: cores and details for a model to choose among.

A model too small to write a true sentence may still tell which of several true ones says most. Every candidate is made
by the rules, so each of them is grounded, if not always long enough to say something.
"""

import re
from itertools import islice

from memlite.distill.context import details
from memlite.distill.core import Weighed, choose, render
from memlite.distill.reading import Reading
from memlite.text.words import CJK
from memlite.types.palace import Exchange

DETAILS = 5
WITHOUT = 3
"""Cores that leave out one of the best pieces each, so that something else comes in."""
_STEP = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
"""A beginning grows by a word, or by a sign of a script that puts no spaces between words."""


def cores(reading: Reading) -> list[str]:
    """Return the core and its alternatives, all different, the rules' own first; none for an exchange of filler."""

    def core(weighed: list[Weighed]) -> str:
        return render(choose(weighed, reading.budget, reading.floor), reading.labels, reading.budget)

    best = choose(reading.weighed, reading.budget, reading.floor)
    others = [[one for one in reading.weighed if one is not left_out] for left_out in best[:WITHOUT]]
    sides = [[one for one in reading.weighed if one.asked is side] for side in (True, False)]
    return list(dict.fromkeys(filter(None, map(core, [reading.weighed, *others, *sides]))))


def contexts(reading: Reading, core: str, exchange: Exchange, near: float = 0.0) -> list[str]:
    """Return the likeliest details beside a core, the rules' own first, none with less than `near` its score."""
    places = (exchange.project, exchange.cwd)
    found = list(islice(details(reading.contents, reading.found, core, reading.about, places), DETAILS))
    return list(dict.fromkeys(one.text for one in found if one.score >= near * found[0].score))


def shortest_beginnings(texts: list[str]) -> dict[str, str]:
    """Return the shortest beginning that tells each text from the others, with the text; words stay whole.

    A model that writes the likeliest beginning has chosen: to have it write the rest costs 12 ms a token.
    """
    return {_beginning(text, [other for other in texts if other != text]): text for text in texts}


def _beginning(text: str, others: list[str]) -> str:
    ends = [match.end() for match in _STEP.finditer(text)]
    return next((text[:end] for end in ends if not any(other.startswith(text[:end]) for other in others)), text)
