"""A typed question -> words, phrases, what must and must not occur.

`"two words"` is a phrase that must occur, `+word` must occur, `-word` must not. A minus counts only in front of a word
and behind a space: `cross-layer`, `2026-03-01` and `--dry-run` are ordinary words. An apostrophe never opens a phrase.
"""

import re
from datetime import date

from msgspec import structs

from memlite.retrieve import asked, mentions
from memlite.retrieve.stop import STOP
from memlite.text import search_terms
from memlite.types.query import Analysis, Filters, Query

_PART = re.compile(
    r'(?<!\S)(?P<sign>[+-]?)"(?P<phrase>[^"]+)"|(?<!\S)(?P<mark>[+-])(?=[^\s+"-])(?P<signed>\S+)|(?P<word>\S+)'
)
_CURLY = str.maketrans("“”„‟＂", '"""""')
_EDGES = " \t\r\n.,;:!?()[]{}<>\"'`´‘’“”«»¿¡…。，、！？；：（）「」『』"
_POSSESSIVE = re.compile(r"(?<=\w\w)['’]s$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


def analyse(text: str, filters: Filters, asked_at: date | None = None, analyser: asked.Analyser = asked.read) -> Query:
    """Return what a question asks for. Any text is a question; one without a word asks for nothing.

    :param asked_at: when it was asked, a day or an aware datetime in the asker's own zone; without it relative times
        stay open
    """
    query = parse(text, filters)
    wanted = _PART.sub(_unless_excluded, text.translate(_CURLY))
    analysis = analyser(wanted, asked_at)
    dated = analysis.times or analysis.open_times
    return structs.replace(query, month=_month(wanted, analysis) if dated else "", analysis=analysis)


def parse(text: str, filters: Filters) -> Query:
    """Return the words and operators of a text, without what it asks for."""
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
    return Query(text, _once(words), _once(phrases), _once(required), _once(excluded), filters)


def _unless_excluded(part: re.Match[str]) -> str:
    return "" if (part["sign"] or part["mark"]) == "-" else part[0]


def _month(text: str, analysis: Analysis) -> str:
    """Return the month a text names, of any year where it gives none; else the first that holds all of a time."""
    certain = not analysis.open_times and all(
        time.relation == "at" and _YEAR.search(time.text) for time in analysis.times
    )
    spoken = (time.first[:7] for time in analysis.times if time.first[:7] == time.last[:7])
    # Reading the text again costs as much as all the rest; what says its year needs it not.
    return ("" if certain else mentions.month(text)) or next(spoken, "")


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
