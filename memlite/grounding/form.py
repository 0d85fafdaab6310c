"""Whether a text could be prose of somebody: its length and signs, whether it goes in circles or repeats a prompt."""

import re
from collections.abc import Iterator, Sequence

from memlite.grounding.negation import negation_fault
from memlite.grounding.said import Said
from memlite.grounding.wording import quote_fault, words_fault
from memlite.text.phrases import shows_secret
from memlite.text.words import CJK, words

MIN_DISTINCT = 0.75
"""The share of its runs of three words that are new in a text that gets on."""
RUN = 6
"""Words of a prompt in a row that only a model repeating its instructions writes."""
NOTHING: frozenset[str] = frozenset()

_UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufff0-\uffff]")
_INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""What turns the direction of writing or takes no room: fine where people wrote it."""
_FORMAT = re.compile(r"[{\[]\s*\"|\"\w*\"\s*:\s*[\"\[{\d]|```|<\|?/?\w+\|?>|\[/?INST\]|\\[nu\"]")
"""Signs of an answer that is data or markup of a chat, and no sentence."""
_WIDE = re.compile(f"[{CJK}]")


def prompt_runs(prompt: str) -> frozenset[str]:
    """Return every run of `RUN` words of a prompt, to be handed to the gate as `forbidden`."""
    return frozenset(_runs(words(prompt.casefold()), RUN))


def sentence_fault(text: str, said: Said, least: int, most: int, forbidden: frozenset[str] = NOTHING) -> str:
    """Say why a text of `least` to `most` characters cannot be told of what was said; "" when it can."""
    return (
        length_fault(text, least, most)
        or form_fault(text, said)
        or ("shows a secret" if shows_secret(text) else "")
        or prompt_fault(text, said, forbidden)
        or loop_fault(text)
        or quote_fault(text, said)
        or words_fault(text, said)
        or negation_fault(text, said)
    )


def length_fault(text: str, least: int, most: int) -> str:
    """Say whether a text has too few or too many characters; one of a script without spaces counts for two."""
    length = len(text)
    if length > most:
        return "too long"
    bare = text.strip()
    if not bare:
        return "empty"
    return "too short" if len(bare) + (0 if bare.isascii() else len(_WIDE.findall(bare))) < least else ""


def form_fault(text: str, said: Said) -> str:
    """Say whether a text holds signs that are no prose, and that nobody wrote."""
    if not text.isprintable() and (
        _UNREADABLE.search(text) or any(sign not in said.joined for sign in _INVISIBLE.findall(text))
    ):
        return "unreadable"
    signs = {"".join(sign.split()) for sign in _FORMAT.findall(text)}
    if signs:
        source = "".join("".join(said.contents).split())
        return "" if all(sign in source for sign in signs) else "not prose"
    return ""


def prompt_fault(text: str, said: Said, forbidden: frozenset[str]) -> str:
    """Say whether a text repeats what a model was told to do, in words that nobody said."""
    if not forbidden:
        return ""
    echoed = set(_runs(words(text.casefold()), RUN)) & forbidden
    if not echoed:
        return ""
    return "" if echoed <= set(_runs(words(said.joined.casefold()), RUN)) else "instruction text"


def _runs(found: Sequence[str], length: int) -> Iterator[str]:
    """Every run of so many words."""
    return map(" ".join, zip(*(found[start:] for start in range(length)), strict=False))


def loop_fault(text: str) -> str:
    """Say whether a text goes round in circles: people repeat a phrase, not a line."""
    found = words(text.casefold())
    short, long = list(_runs(found, 3)), list(_runs(found, 12 if _WIDE.search(text) else 6))
    stuck = any(len(set(run.split())) == 1 for run in short)
    circling = len(set(long)) < len(long) or (len(found) > 7 and len(set(short)) < MIN_DISTINCT * len(short))
    return "repeats itself" if stuck or circling else ""
