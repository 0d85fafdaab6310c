"""What a record claims, taken apart as far as two claims must be to be held against each other.

Of whom or what, which attribute, which value, and how it is meant: as being so, as being over, as a plan. The content
alone tells, so a claim is read once however many others it is compared with.
"""

import re
from functools import lru_cache

from msgspec import Struct

from memlite.text.words import FUNCTION_WORDS, cjk_share, language, words
from memlite.update import values, wording
from memlite.update.values import Value

ONE_AT_A_TIME = frozenset(("home", "employer", "role", "age"))
"""Attributes of which a person has one."""


NOBODY = frozenset(("user", "assistant"))
"""Words that tell who speaks, not what of: most records have them."""
MOST_REST = 2
"""Words beside a value up to which a claim gives one, and does not tell a story that holds one."""


class Attribute(Struct, frozen=True):
    """Something a claim gives one value to."""

    name: str
    """`home`, `employer`, ... or `=` where the subject itself is what has the value: `the timeout`."""
    subject: frozenset[str]
    told: frozenset[str]
    """The words of the value."""
    values: tuple[Value, ...]
    rest: frozenset[str]
    """The words of the value that are no value by themselves: `old` in `five years old`."""
    before: tuple[Value, ...] = ()
    """What it is said to have been until then."""


class Claim(Struct, frozen=True):
    """One claim."""

    said: str
    """The words, folded and without punctuation: equal for two that say the same word for word."""
    bag: frozenset[str]
    """The roots of its words, without those that tell nothing and without its values."""
    values: tuple[Value, ...]
    attributes: tuple[Attribute, ...]
    displaced: frozenset[str]
    """Keys of what is said to have given way."""
    ended: bool
    negated: bool
    changed: bool
    planned: bool
    past: bool


_CUES = re.compile("|".join((wording.ENDED.pattern, wording.CHANGED.pattern, wording.NEGATED.pattern)), re.IGNORECASE)
_WEAK = frozenset("use us hav has had get got made mak do did be been is was are were thing".split())
_ACTOR = re.compile(r"^(?:the user|we|they|the team|he|she|i)$", re.IGNORECASE)
_PAST_HOME = re.compile(r"\b(?:lived|worked|used to)\b", re.IGNORECASE)


@lru_cache(maxsize=65_536)
def claim(content: str) -> Claim:
    """Take a record's content apart."""
    spans = values.values_in(content)
    attributes = tuple(filter(None, (*_attributes(content), _setting(content))))
    return Claim(
        said=" ".join(words(content)).casefold(),
        bag=telling(_CUES.sub(" ", values.rest_of(content, spans))),
        values=tuple(span.value for span in spans),
        attributes=attributes,
        displaced=_displaced(content),
        ended=wording.ENDED.search(content) is not None,
        negated=wording.NEGATED.search(content) is not None,
        changed=wording.CHANGED.search(content) is not None,
        planned=wording.PLANNED.search(content) is not None,
        past=wording.PAST.search(content) is not None,
    )


def telling(text: str) -> frozenset[str]:
    """Return the roots of the words of a text that tell something."""
    found = words(text)
    empty = FUNCTION_WORDS[language(found)] | FUNCTION_WORDS["en"] | wording.FILLER
    return frozenset(root for word in found if word.casefold() not in empty for root in values.roots(word)) - _WEAK


def _attributes(content: str) -> list[Attribute]:
    found = []
    for name, pattern in wording.PATTERNS.items():
        if match := pattern.match(content):
            found.append(_attribute(name, match["before"], match["value"]))
    return found


def _attribute(name: str, subject: str, value: str, before: str = "") -> Attribute:
    # Behind a word of its own, so that a name is no beginning of a sentence.
    spans = values.values_in(f": {value}")
    return Attribute(
        name=name,
        subject=telling(_CUES.sub(" ", subject)),
        told=values.roots(value),
        rest=telling(values.rest_of(f": {value}", spans)),
        values=tuple(span.value for span in spans) or _unspaced(value),
        before=tuple(span.value for span in values.values_in(f": {before}")),
    )


def _unspaced(value: str) -> tuple[Value, ...]:
    """Return what stands for a value in a script without capitals."""
    return (Value("name", value.strip("了。 ")),) if cjk_share(value) > 0.5 else ()


def _setting(content: str) -> Attribute | None:
    for pattern in wording.SETTINGS:
        match = pattern.match(content)
        if match is None:
            continue
        given = match.groupdict()
        made = _attribute("=", given["name"], given["value"], given.get("from") or "")
        # A person is many things at a time, but only one of some: `single`, `vegetarian`.
        chosen = any(value.kind.startswith("choice") for value in made.values) and not made.rest
        if made.values and len(made.rest) <= MOST_REST and (made.subject - NOBODY or made.before or chosen):
            return made
    return None


def _displaced(content: str) -> frozenset[str]:
    found: set[str] = set()
    for pattern in wording.DISPLACED:
        for match in pattern.finditer(content):
            told = next(filter(None, match.groups()))
            found |= {value.value.key for value in values.values_in(f": {told}")} or {values.alias(told)}
    return frozenset(found)
