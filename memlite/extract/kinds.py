"""Whether a claim is a fact, an event or plan, or what somebody is like.

The three are told apart by a few signs, whose weights were fitted like those of `memlite.extract.judge`.
"""

import re
from collections.abc import Iterator, Sequence

from memlite.extract import verbs
from memlite.extract.weights import KINDS
from memlite.text.words import words
from memlite.types.records import RecordType
from memlite.types.times import TimeMention

_CUES = {
    "liking": r"lov(?:e|es|ed)|likes?|hat(?:e|es|ed)|prefer(?:s|red)?|enjoys?|dislikes?|favou?rite|fan of|obsessed"
    r"|is into|adora|odeia"
    r"|gosta|prefere|odia|prefiere|mag|liebt|hasst|lieber|aime|déteste|préfère|喜欢|讨厌|好き|嫌い",
    "body": r"allerg\w+|alérgic\w+|intoleran\w+|vegetarian\w*|vegan|celiac|coeliac|asthma\w*|diabet\w+|vertigo"
    r"|phobia|afraid|scared"
    r"|sensitive|pregnant|blind|deaf|verträgt|过敏",
    "wish": r"wants?|insists?|needs?|rather|must|quer|quiere|will|veut",
    "refusal": r"(?:can|do|does|will|would|is|are)(?:n['’]t| not)|cannot|never|no longer|not|nie|nunca|jamais",
    "habit": r"always|usually|every (?:day|morning|evening|night|week|year|sunday|monday|tuesday|wednesday"
    r"|thursday|friday|saturday)|often"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|twice a|once a|sempre|siempre|immer|toujours",
    "skill": r"speaks?|plays?|sings?|paints?|cooks?|knits?|collects?|fluent|good at|bad at|trained as|used to",
    "rule": r"rule|always|never|only|must|no \w+ in|max|at most|at least|default|limit",
    "plan": r"will|going to|gonna|plans? to|tomorrow|next|booked|scheduled|starts?|begins?|arrives?|leaves?|opens?",
    "occasion": r"appointment|interview|flight|wedding|meeting|training|exam|surgery|operation|funeral|birthday"
    r"|deploy\w*|release\w*"
    r"|concert|lesson|visit\w*|trip|party|dinner|delivery|deadline|exam",
    "running": r"(?:is|are|was|were) \w+ing",
    "state": r"(?:is|are|has|have)(?! \w+ing)",
    "was": r"(?:was|were|had)",
}
_PATTERNS = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in _CUES.items()}
_ORDER: tuple[RecordType, ...] = ("fact", "episodic", "profile")


def signs_of(content: str, who: str, made: frozenset[str], times: Sequence[TimeMention]) -> tuple[str, ...]:
    """What speaks for one type or another. `made` says how the content came about: `led`, `advised`, `result`."""
    return tuple(_signs(content, who, made, times))


def _signs(content: str, who: str, made: frozenset[str], times: Sequence[TimeMention]) -> Iterator[str]:
    yield "all"
    yield who
    yield from [name for name, pattern in _PATTERNS.items() if pattern.search(content)]
    yield from made
    main = next((word for word in words(content) if verbs.is_finite(word)), "")
    if not main:
        yield "no verb"
    elif verbs.is_past(main) and main.casefold() not in ("was", "were", "had"):
        yield "happened"
        yield f"{who} happened"
    for time in times[:1]:
        yield f"time {time.relation}"
        yield f"time {time.precision}"


def type_of(signs: Sequence[str]) -> RecordType:
    """The type these signs speak for most."""
    totals = [sum([KINDS[sign][at] for sign in signs if sign in KINDS]) for at in range(len(_ORDER))]
    return _ORDER[totals.index(max(totals))]
