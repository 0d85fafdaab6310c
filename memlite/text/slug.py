"""Keys: one spelling for what people spell in several."""

import re
import unicodedata
from functools import lru_cache

_CACHED = 16384
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_SLUG = re.compile(r"[^\w]+|_+")
_SPELLED = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "þ": "th", "ð": "d", "ı": "i"})


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """Fold case and an English plural, so that `Queries` and `query` are one word."""
    folded = word.casefold().replace("’", "'").removesuffix("'s")
    if len(folded) < 4 or not folded.endswith("s") or folded.endswith(("ss", "us", "is")):
        return folded
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    if folded.endswith(("sses", "shes", "ches", "xes")):
        return folded[:-2]
    return folded[:-1]


@lru_cache(maxsize=_CACHED)
def slug(text: str) -> str:
    """A kebab-case key: camel case and separators split, case folded, plurals and accents of Latin letters dropped.

    Other scripts stay as they are: a key in Japanese is better than none.
    """
    spaced = _NOT_SLUG.sub(" ", _CAMEL.sub(" ", text.replace("'", "").replace("’", "")))
    folded = spaced.casefold()
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFKD", folded.translate(_SPELLED))
        folded = unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))
    return "-".join(stem(part) for part in folded.split())
