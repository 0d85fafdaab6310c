"""A typed question -> words, phrases, what must and must not occur.

`"two words"` is a phrase that must occur, `+word` must occur, `-word` must not. A minus counts only in front of a word
and behind a space: `cross-layer`, `2026-03-01` and `--dry-run` are ordinary words. An apostrophe never opens a phrase.
"""

import re

from memlite.retrieve import mentions
from memlite.text import search_terms
from memlite.types.query import Filters, Query

_PART = re.compile(
    r'(?<!\S)(?P<sign>[+-]?)"(?P<phrase>[^"]+)"|(?<!\S)(?P<mark>[+-])(?=[^\s+"-])(?P<signed>\S+)|(?P<word>\S+)'
)
_CURLY = str.maketrans("“”„‟＂", '"""""')
_EDGES = " \t\r\n.,;:!?()[]{}<>\"'`´‘’“”«»¿¡…。，、！？；：（）「」『』"
_POSSESSIVE = re.compile(r"(?<=\w\w)['’]s$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")

# Words that say nothing about what is sought. They are left out of the keyword route when other words remain: they
# match nearly every exchange, which costs time (bm25 is computed for each match) and moves no rank that matters.
STOP = frozenset(
    """
    a about after again all also am an and any are as at be because been before being but by can could did do does doing
    don't during each few for from further had has have having he her here hers him his how i i'd i'll i'm i've if in
    into is isn't it it's its just let let's me might more most my no nor not now of off on once only or other our ours
    out over own same shall she should so some such than that that's the their theirs them then there these they they're
    this those through to too under until up us very was wasn't we we're were weren't what what's when when's where
    where's which while who who's whom whose why will with won't would wouldn't you you're your yours
    """.split()
)


def analyse(text: str, filters: Filters) -> Query:
    """Return what a question asks for. Any text is a question; one without a word asks for nothing."""
    words: list[str] = []
    phrases: list[str] = []
    required: list[str] = []
    excluded: list[str] = []
    for part in _PART.finditer(text.translate(_CURLY)):
        sign = part["sign"] or part["mark"] or ""
        found = part["phrase"] or _bare(part["signed"] or part["word"] or "")
        if not _WORD.search(found):
            continue
        if sign == "-":
            excluded.append(found)
            continue
        if part["phrase"] is not None:
            phrases.append(found.strip())
        elif sign == "+":
            required.append(found)
        words += [bare for bare in map(_bare, found.split()) if _WORD.search(bare)]
    found = (_once(words), _once(phrases), _once(required), _once(excluded))
    return Query(text, *found, filters, mentions.month(text))


def _bare(word: str) -> str:
    # C++, C# and .env keep what makes them what they are; FTS5 sees only letters and digits, the snippet sees all.
    # Whose it is does not matter: "Caroline's" is said of Caroline.
    return _POSSESSIVE.sub("", word.strip(_EDGES)) or word


def _once(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def content_words(query: Query) -> tuple[str, ...]:
    """Return the words that carry meaning; all of them where none would be left."""
    return tuple(word for word in query.words if word.casefold().replace("’", "'") not in STOP) or query.words


def sought(query: Query) -> tuple[str, ...]:
    """Return what to look for in a hit to show why it was found: phrases whole, then content words."""
    return (*query.phrases, *content_words(query))


def match_any(query: Query) -> str:
    """Return the MATCH expression of every exchange with any content word, or "" when there is none."""
    return " OR ".join(filter(None, map(search_terms.term, content_words(query))))


def match_musts(query: Query) -> str:
    """Return the MATCH expression of every exchange that has what must occur, or "" when nothing must."""
    # As phrases, since a part of a compound will not do: with `+getUserById` not every user is wanted.
    return " AND ".join(filter(None, map(search_terms.phrase, (*query.phrases, *query.required))))


def match_nots(query: Query) -> str:
    """Return the MATCH expression of every exchange with something excluded, or "" when nothing is."""
    return " OR ".join(filter(None, map(search_terms.phrase, query.excluded)))
