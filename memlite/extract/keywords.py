"""The few words and names a claim would be looked for by."""

import re

from memlite.extract import verbs
from memlite.text.slug import stem
from memlite.text.words import cjk_terms, is_identifier, rarity

MOST = 5
_TOKEN = re.compile(r"[^\s,;:!?()\[\]\"“”「」、。，`]+")
_BREAK = re.compile(r"[,;:!?()\[\]\"“”]")
_EDGES = ".'’*_-"
_TIME = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\d{4}|\d{1,2}",
    re.IGNORECASE,
)


def keywords(text: str, lang: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return up to five: names of those it is about, identifiers, and the runs of words that say most."""
    called = frozenset(part for name in names for part in (name, f"{name}'s"))
    chunks = [chunk for piece in _BREAK.split(text) for chunk in _chunks(piece, lang, called)]
    terms = cjk_terms(text) if not text.isascii() else []
    weighed: dict[str, tuple[float, str]] = {}
    for worth, chunk in [*chunks, *((0.3 * len(term), term) for term in terms)]:
        key = stem(chunk)
        if key not in weighed or weighed[key][0] < worth:
            weighed[key] = worth, chunk
    about = [name for name in names if name[:1].isupper() and name in text]
    rest = [chunk for _, chunk in sorted(weighed.values(), key=lambda one: -one[0]) if chunk not in about]
    return tuple((about + rest)[:MOST])


def _chunks(piece: str, lang: str, called: frozenset[str]) -> list[tuple[float, str]]:
    """Runs of neighbouring words that each say something."""
    found: list[tuple[float, str]] = []
    run: list[str] = []
    for token in [*_TOKEN.findall(piece), ""]:
        word = token.strip(_EDGES)
        says = bool(word) and word not in called and _says(word, lang)
        if says and len(run) < 3:
            run.append(word)
            continue
        if run:
            found.append((sum(_worth(one, lang) for one in run), " ".join(run)))
        run = [word] if says else []
    return found


def _says(word: str, lang: str) -> bool:
    if is_identifier(word) or (word[0].isupper() and len(word) > 1 and rarity(word) > 0.35):
        return _TIME.fullmatch(word) is None
    if _TIME.fullmatch(word) or (
        lang == "en" and (verbs.is_finite(word) or word in verbs.ADVERBS or word.endswith("ly"))
    ):
        return False
    return rarity(word.removesuffix("'s"), lang) > 0.25


def _worth(word: str, lang: str) -> float:
    named = is_identifier(word) or word[0].isupper()
    return rarity(word, lang) + (0.6 if named else 0.0)
