"""A text as a row of tokens, each with a kind of one letter: a grammar can be regular expressions over the kinds."""

import re
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from memlite.text import words
from memlite.text.when import lexicon
from memlite.text.when.calendar import Period
from memlite.types.times import Relation


class Token(NamedTuple):
    """A word, a number, a mark, or (kind `Z`) a time that was made of some of them."""

    kind: str
    value: str
    start: int
    end: int
    weak: bool = False
    period: Period | None = None
    """The time; None where it depends on an anchor that is not known: `value` then holds what is known of it."""
    relative: bool = False
    yearless: bool = False
    clock: str = ""
    relation: Relation = "at"


# A number glued to letters, signs or other numbers is a version, a price, a port or a name.
_FREE = r"(?:(?<![\w.,$€£¥#@/:+-])|(?<=\d-)|(?<=[Mm]id-)|(?<=[Ee]arly-)|(?<=[Ll]ate-))"
_END = r"(?![\w%€$£¥°]|[.,:/]\d|-[^\W\d]|\s[%€$£¥°])"
_TOKEN = rf"""
  (?P<stamp>(?<![\w./-])\d{{4}}(?P<sep>[-/])\d\d?(?P=sep)\d\d?(?:[T]\d\d?:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/-]))
| (?P<month>(?<![\w./-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\w-]))
| (?P<numeric>(?<![\w./-])\d\d?(?P<mark>[./-])\d\d?(?P=mark)(?:\d{{4}}|\d\d)(?!\w|[./-]\w))
| (?P<dotted>(?<![\w./-])\d\d?\.\d\d?\.(?!\w))
| (?P<slashed>(?<![\w./-])\d\d?/\d\d?(?!\w|[./-]\w))
| (?P<clock>(?<![\w.,:/-])(?:[01]?\d|2[0-4])(?::[0-5]\d(?::\d\d)?(?:\s?[ap]\.?m\b)?
    |\s?[ap]\.?m\b|h(?:[0-5]\d)?|\s?Uhr|\s?時|\s?点)
    (?![\w:]))
| (?P<quarter>\b[Qq][1-4]\b(?!\.\d))
| (?P<week>\b(?:[Ww]eek\s|[KC]W\s?|[Ww])\d\d(?![\w.]))
| (?P<decade>(?:(?<!\w)['’]\d0|\b(?:19|20)\d0|(?<=[Tt]he\ )[2-9]0)s\b)
| (?P<short>(?<!\w)['’]\d\d(?![\w.]))
| (?P<ordinal>{_FREE}\d\d?(?:st|nd|rd|th|er|[ºª])(?!\w))
| (?P<number>{_FREE}\d{{1,4}}{_END})
| (?P<code>\d[\w.,:/+-]*|(?!(?:mid|early|late)-)[^\W\d]\w{{0,40}}(?:[./:@+-]\w{{1,40}}){{0,8}}(?<=\d)\w{{0,40}})
| (?P<word>{lexicon.WORD})
| (?P<break>\n+)
| (?P<punct>[^\w\s])
"""
"""The chunks of `code` are bounded so that no text takes time by the square of its length."""
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+")
_KIND = {"ordinal": "O", "clock": "C", "quarter": "Q", "week": "K", "decade": "J", "short": "Y", "break": ";"}
_PUNCT = {",": ",", ".": ".", "-": "-", "–": "-", "~": "-", "&": "&", ":": ":", "(": "(", ")": ")"}
_PUNCT |= dict.fromkeys(";!?…", ";")
_DATES = ("stamp", "month", "numeric", "dotted", "slashed")
OTHER = "w"


def guess(text: str) -> str:
    """Guess the language of a text by its function words and its words of time."""
    found = words.words(text.casefold())
    votes = {
        lang: sum((word in listed) + (word in lexicon.longest(lang)) for word in found)
        for lang, listed in words.FUNCTION_WORDS.items()
    }
    return max(lexicon.LANGUAGES, key=lambda lang: votes[lang])


def may_name_a_time(text: str, lang: str) -> bool:
    """Say whether a text holds a digit or a word of time; most sentences hold neither."""
    found = _WORD.findall(text.casefold())
    return bool(_DIGIT.search(text)) or not lexicon.naming(lang).isdisjoint(found)


def tokens(text: str, lang: str) -> list[Token]:
    """Split a text into tokens."""
    raw = [(match.lastgroup or "", match[0], match.start()) for match in _pattern().finditer(text)]
    entries, longest = lexicon.entries(lang), lexicon.longest(lang)
    found: list[Token] = []
    at = 0
    while at < len(raw):
        group, word, start = raw[at]
        if group != "word":
            found.append(_plain(group, word, start))
            at += 1
            continue
        entry = _lookup(raw, at, longest.get(_folded(word), 0), entries)
        if entry is None:
            found.append(Token(OTHER, word, start, start + len(word)))
            at += 1
            continue
        _, last, last_start = raw[at + entry.words - 1]
        value = word if entry.value == "-" else entry.value
        found.append(Token(entry.kind, value, start, last_start + len(last), entry.weak))
        at += entry.words
    return found


@cache
def _pattern() -> re.Pattern[str]:
    """Compile on first use: most commands read no times."""
    return re.compile(_TOKEN, re.VERBOSE)


def _folded(word: str) -> str:
    return word.casefold().replace("’", "'")


def _lookup(
    raw: list[tuple[str, str, int]], at: int, most: int, entries: dict[tuple[str, ...], lexicon.Entry]
) -> lexicon.Entry | None:
    for count in range(min(most, len(raw) - at), 0, -1):
        phrase = tuple(_folded(word) for _, word, _ in raw[at : at + count])
        if phrase in entries:
            return entries[phrase]
    return None


def _plain(group: str, text: str, start: int) -> Token:
    end = start + len(text)
    if group == "number":
        return Token("Y" if len(text) == 4 and "1000" <= text < "2200" else "N", text, start, end)
    if group in _DATES:
        return Token("D", text, start, end, weak=group in ("slashed", "dotted"))
    if group == "punct":
        return Token(_PUNCT.get(text, ":"), text, start, end)
    return Token(_KIND.get(group, OTHER), text, start, end)


def line(found: Collection[Token]) -> str:
    """Write the kinds of tokens as a text: what the grammar reads."""
    return "".join(token.kind for token in found)
