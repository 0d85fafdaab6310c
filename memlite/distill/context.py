"""The one exact detail of an exchange: what tells it from a hundred others about the same thing.

It is a literal span of one turn, so it can be found again by whoever remembers the error message, the command or the
number. It should say what the core does not say yet.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from memlite.distill import vocabulary as v
from memlite.distill.clauses import Clause
from memlite.distill.core import Subject, cut
from memlite.text.words import cost, stem, words

MAX_CHARS = 300
BUDGET = 12
"""Tokens a detail may take without being preferred less."""
C = dict(base=0.2, name=0.5, fresh=0.3, question=0.6, throat=0.3, pasted=0.6, over=8.0, heading=0.4, full=4.0)

_EXACT: tuple[tuple[float, re.Pattern[str]], ...] = (
    (1.6, re.compile(r"\w*(?:Error|Exception|Warning|Fault|Panic)\b|(?:ERR|E|ORA|TS|CVE|HTTP)[-_]?\d{2,}|errno|traceback", re.ASCII)),
    (1.4, re.compile(r"[`(\[\"']?--?[a-zA-Z][\w-]+|[`(\"']?[\w.\[\]-]+(?:=|:=|==)[\w\"'.{(\[-]+")),
    (1.3, re.compile(r".*[\w/-]\.\w{1,5}:\d+")),
    (1.2, re.compile(r"[“\"«「『`]\S|\w+_\w+|\w+\.\w+\(|.*[a-z][A-Z]|/\w+|.*\w/\w+\.\w")),
    (1.2, re.compile(r"\W?v?\d+\.\d+(?:\.\d+)+|#\d+\b|\W?(?=[a-f]*\d)[0-9a-f]{7,40}\b")),
    (1.1, re.compile(r"\W?[$€£¥]\s?\d|\W?[~±<>]?\d[\d.,]*\s?(?:%|€|\$|£|[a-zµ]{1,3}\b|[kKMGT]i?B\b|円|元|度|人|年|月|日|時|点|分)")),
    (1.0, re.compile(r"\W?\d{1,2}[:.h]\d{2}\b|\W?\d{4}-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:january|february|march|april|june|july|august|september|october|november|december)\b", re.IGNORECASE)),
    (0.7, re.compile(r".*\d")),
)
_EDGE = " \t,;:，、；：-–—*#>|"


def specific_context(
    contents: Sequence[str], found: Sequence[Clause], core: str, about: Subject, places: Collection[str]
) -> str:
    """Pick the detail. `contents` are the turns' readable texts, `found` their clauses, `core` what is said already.

    `places` (the project, its folder) are the same for hundreds of exchanges, so they are no detail of one.
    """
    said = {stem(word) for word in words(core)}
    best, best_score = "", 0.0
    for clause in found:
        score = _score(clause, said, about)
        if score <= best_score or about.shows_secret(clause.text, clause.turn):
            continue
        text = literal(contents[clause.turn], clause)
        if words(text) and text.strip("`'\". ") not in places:
            best, best_score = text, score
    return best or _anything(contents, about)


def literal(content: str, clause: Clause) -> str:
    """The clause as its turn has it: its longest line, without quotes and list marks at the ends."""
    longest = max(content[clause.start : clause.end].splitlines(), key=len, default="").strip(_EDGE)
    if longest[:1] == longest[-1:] == "`" and longest.count("`") == 2:
        longest = longest[1:-1]
    return cut(longest, MAX_CHARS)


def _score(clause: Clause, said: set[str], about: Subject) -> float:
    new = sum([worth for key, worth in about.values[clause.number].items() if key not in said])
    if not new or (len(clause.text) < 50 and (v.FILLER.fullmatch(clause.text) or v.CJK_FILLER.fullmatch(clause.text))):
        return 0.0
    tokens = clause.text.split()[:60]
    exact = sum({kind: _EXACT[kind][0] for kind in map(_exactness, tokens) if kind >= 0}.values())
    names = C["name"] if any(_is_name(token) for token in tokens[1:]) else 0.0
    score = (C["base"] + exact + names) * (C["fresh"] + min(new, C["full"]) / C["full"])
    if v.QUESTION.search(clause.text[-12:]):
        score *= C["question"]
    if v.THROAT_CLEARING.match(clause.text):
        score *= C["throat"]
    if clause.kind in ("pasted", "heading"):
        score *= C[clause.kind]
    return score / (1 + max(0, cost(clause.text[:400]) - BUDGET) / C["over"])


@lru_cache(maxsize=65536)
def _exactness(token: str) -> int:
    """The first kind of exact thing a token is, as an index into the table; -1 for none."""
    return next((kind for kind, (_, pattern) in enumerate(_EXACT) if pattern.match(token)), -1)


def _is_name(token: str) -> bool:
    return token[0].isupper() and len(token) > 2 and token[1].islower()


def _anything(contents: Sequence[str], about: Subject) -> str:
    """The first line with a word in it, for an exchange of which nothing exact can be said."""
    for turn, content in enumerate(contents):
        for line in content.splitlines():
            if words(line) and not about.shows_secret(line, turn):
                return cut(line.strip(), MAX_CHARS)
    return ""
