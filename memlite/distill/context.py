"""The one exact detail of an exchange: what tells it from a hundred others about the same thing.

It is a literal span of one turn, so it can be found again by whoever remembers the error message, the command or the
number. It should say what the core does not say yet.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memlite.distill import vocabulary as v
from memlite.distill.core import Subject, cut, person
from memlite.text import phrases
from memlite.text.clauses import Clause
from memlite.text.phrases import trimmed
from memlite.text.slug import stem
from memlite.text.talk import is_called
from memlite.text.words import cost, words

MAX_CHARS = 300
BUDGET, PEER_BUDGET = 9, 12
"""Tokens a detail may take without being preferred less; people's details are clauses, not numbers."""
ENOUGH = 2.0
"""Worth of new words beyond which a detail does not get better."""
QUESTION = 0.2
"""What is left of the score of a question."""
ECHO, PEER_ENOUGH = 0.1, 6.0
"""Between people a whole phrase is the detail, and one that the core has already beats one that tells nothing."""

_EXACT: tuple[tuple[float, re.Pattern[str]], ...] = (
    (
        1.6,
        re.compile(
            r"\w*(?:Error|Exception|Warning|Fault|Panic)\b|(?:ERR|E|ORA|TS|CVE|HTTP)[-_]?\d{2,}|errno|traceback",
            re.ASCII,
        ),
    ),
    (1.4, re.compile(r"[`(\[\"']?--?[a-zA-Z][\w-]+|[`(\"']?[\w.\[\]-]+(?:=|:=|==)[\w\"'.{(\[-]+")),
    (1.3, re.compile(r".*[\w/-]\.\w{1,5}:\d+")),
    (1.2, re.compile(r"[“\"«「『`]\S|\w+_\w+|\w+\.\w+\(|.*[a-z][A-Z]|/\w+|.*\w/\w+\.\w")),
    (1.2, re.compile(r"\W?v?\d+\.\d+(?:\.\d+)+|#\d+\b|\W?(?=[a-f]*\d)[0-9a-f]{7,40}\b")),
    (
        1.1,
        re.compile(
            r"\W?[$€£¥]\s?\d|\W?[~±<>]?\d[\d.,]*\s?(?:%|€|\$|£|[a-zµ]{1,3}\b|[kKMGT]i?B\b|円|元|度|人|年|月|日|時|点|分)"
        ),
    ),
    (
        1.0,
        re.compile(
            r"\W?\d{1,2}[:.h]\d{2}\b|\W?\d{4}-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:january|february|march|april|june|july|august|september|october|november|december)\b",
            re.IGNORECASE,
        ),
    ),
    (0.7, re.compile(r".*\d")),
    (
        0.6,
        re.compile(
            r"(?:yesterday|today|tonight|tomorrow|ago|since|(?:week|month|year|weekend|birthday)s?|summer|winter|spring|autumn"
            r"|ontem|hoje|amanhã|ayer|hoy|mañana|gestern|heute|morgen|hier|demain)\b",
            re.IGNORECASE,
        ),
    ),
)
_WEIGHTS = (*(weight for weight, _ in _EXACT), 0.0)
_TOKEN = re.compile(r"\S+")
_MARKS = ".,!?:;'\""
_EDGE = " \t,;:，、；：-–—*#>|"


class Detail(NamedTuple):
    """What may be the detail, and what the rules think of it."""

    text: str
    score: float


def specific_context(
    contents: Sequence[str], found: Sequence[Clause], core: str, about: Subject, places: Collection[str]
) -> str:
    """Pick the detail. `contents` are the turns' readable texts, `found` their clauses, `core` what is said already.

    `places` (the project, its folder) are the same for hundreds of exchanges, so they are no detail of one.
    """
    best = next(details(contents, found, core, about, places), None)
    return best.text if best else _anything(contents, about)


def details(
    contents: Sequence[str], found: Sequence[Clause], core: str, about: Subject, places: Collection[str]
) -> Iterator[Detail]:
    """Yield what may be the detail, best first; see `specific_context`."""
    budget = PEER_BUDGET if about.peers else BUDGET
    said = {stem(word) for word in words(core)}
    scored = [(_score(clause, said, about), clause) for clause in found]
    scored = [
        (score / (1 + max(0, cost(clause.text[:400]) - budget) / 5), clause) for score, clause in scored if score > 0
    ]
    for score, clause in sorted(scored, key=lambda one: -one[0]):
        if about.shows_secret(clause.text, clause.turn) or not trimmed(clause.text, about.called):
            continue
        text = literal(contents[clause.turn], clause, budget, about.called)
        if words(text) and text.strip("`'\". ") not in places:
            yield Detail(text, score)


def literal(content: str, clause: Clause, budget: int, called: tuple[str, ...]) -> str:
    """The clause as its turn has it: its longest line, without marks and calls at the ends, around its exact part."""
    longest = max(content[clause.start : clause.end].splitlines(), key=len, default="").strip(_EDGE)
    if longest[:1] == longest[-1:] == "`" and longest.count("`") == 2:
        longest = longest[1:-1]
    if (bare := trimmed(longest, called)) in longest:
        longest = bare or longest
    return cut(_unmarked(_narrowed(longest, budget)), MAX_CHARS)


def _unmarked(text: str) -> str:
    """The text without marks of bold or code that open and do not close in it, or the other way round."""
    for mark in ("**", "`"):
        if text.count(mark) % 2:
            text = max(text.split(mark), key=len).strip(_EDGE)
    return text


def _narrowed(text: str, budget: int) -> str:
    """As many words around the most exact one as the budget holds."""
    if cost(text) <= budget + 6:
        return text
    tokens = list(_TOKEN.finditer(text))
    first = last = max(range(len(tokens)), key=lambda i: (_WEIGHTS[_exactness(tokens[i][0])], -i))
    grown = True
    while grown:
        grown = False
        for left, right in ((first, last + 1), (first - 1, last)):
            if left < 0 or right >= len(tokens) or cost(text[tokens[left].start() : tokens[right].end()]) > budget + 3:
                continue
            first, last, grown = left, right, True
    while last > first and last + 1 < len(tokens) and tokens[last][0].casefold() in v.MID_PHRASE:
        last -= 1
    return text[tokens[first].start() : tokens[last].end()].strip(_EDGE)


def _score(clause: Clause, said: set[str], about: Subject) -> float:
    new = sum([worth for key, worth in about.values[clause.number].items() if key not in said])
    if about.peers:
        new += ECHO * sum([worth for key, worth in about.values[clause.number].items() if key in said])
    if not new:
        return 0.0
    tokens = clause.text[:400].split()
    exact = sum(_WEIGHTS[kind] for kind in set(map(_exactness, tokens)))
    names = 0.4 if _names_something(tokens, about.called) else 0.0
    enough = PEER_ENOUGH if about.peers else ENOUGH
    score = (0.3 + exact + names) * (0.25 * (not about.peers) + min(new, enough) / enough)
    if phrases.QUESTION.search(clause.text[-12:]):
        score *= QUESTION
    if not about.peers and clause.turn not in about.user_turns and phrases.THROAT_CLEARING.match(clause.text):
        score *= 0.3
    if about.peers:
        score *= person(clause.words, "peer")
    if clause.kind == "heading":
        score *= 0.4
    return score


@lru_cache(maxsize=16384)
def _exactness(token: str) -> int:
    """The first kind of exact thing a token is, as an index into the weights; -1, the last of them, for none."""
    return next((kind for kind, (_, pattern) in enumerate(_EXACT) if pattern.match(token[:80])), -1)


def _names_something(tokens: Sequence[str], called: tuple[str, ...]) -> bool:
    """Say whether a token after the first is a name, and not one of the speakers'."""
    return any(_is_name(token) and not is_called(token.strip(_MARKS), called) for token in tokens[1:])


def _is_name(token: str) -> bool:
    return token[0].isupper() and len(token) > 2 and token[1].islower()


def _anything(contents: Sequence[str], about: Subject) -> str:
    """The first line with a word in it, for an exchange of which nothing exact can be said."""
    for turn, content in enumerate(contents):
        for line in content.splitlines():
            if words(line) and not about.shows_secret(line, turn):
                return cut(line.strip(), MAX_CHARS)
    return ""
