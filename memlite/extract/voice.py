"""From the first person to the third: who `I` and `you` are is known, so the names can stand for them.

English is done word by word with its verbs; for Portuguese, Spanish, German and French the commonest first-person forms
are known. What is not known stays as it was said: a record that reads a little stiff is better than a wrong one.
"""

import re

from msgspec import Struct

from memlite.extract import verbs


class Voice(Struct, frozen=True):
    """Who speaks and who is spoken to."""

    me: str
    """What to put for `I` within a sentence: a name, or `the user`."""
    you: str = ""
    """The one spoken to; "" leaves `you` as it is."""


_SHORT = {"m": "is", "re": "is", "ve": "has", "d": "would", "ll": "will"}
_ADVERBS = "|".join(sorted(verbs.ADVERBS))
_SUBJECT = re.compile(
    r"(?<![\w/.'’-])(?P<who>I|we|you)(?:['’](?P<short>m|re|ve|d|ll)|(?P<squeezed>m|ve|ll|d)(?=\s))?(?![\w/'’-])(?!\.\w)"
    rf"(?P<adverbs>(?:\s+(?:{_ADVERBS})\b)*)(?:(?P<gap>\s+)(?P<verb>[A-Za-z]+(?:['’]t)?)(?![\w'’/-])(?!\.\w))?",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?<![\w/.'’-])(?P<word>my|mine|me|myself|our|ours|us|ourselves|your|yours|yourself)(?![\w/'’-])", re.IGNORECASE
)
_POSSESSIVE = frozenset("my mine our ours your yours".split())
_REFLEXIVE = frozenset("myself ourselves yourself".split())
_AND_ME = re.compile(r"\b(me and|and me|and I|and myself)\b", re.IGNORECASE)


def possessive(name: str) -> str:
    """Return `Marcus's`."""
    return f"{name}'s"


def third_person(text: str, voice: Voice) -> str:
    """Put names for the first and second person of an English clause."""
    if voice.me:
        text = _SUBJECT.sub(lambda match: _subject(match, voice), text)
    return _OTHER.sub(lambda match: _other(match, voice), text)


def _subject(match: re.Match[str], voice: Voice) -> str:
    who = match["who"].casefold()
    name = voice.you if who == "you" else voice.me
    if not name or (match["who"] == "i" and match.string[match.end("who") :][:1] == ")"):
        return match[0]
    adverbs, verb = match["adverbs"], match["verb"] or ""
    short = match["short"] or match["squeezed"]
    if match["squeezed"] in ("ll", "d") and not (verbs.is_base(verb) or (adverbs and not verb)):
        return match[0]  # `well under`, `ill`: words of their own
    if short:
        helper = "has" if verb.casefold() in ("got", "been") and short.casefold() != "d" else _SHORT[short.casefold()]
        if helper == "would" and (verb.casefold() == "better" or (verbs.is_past(verb) and verb.casefold() != "read")):
            helper = "had"
        return f"{name} {helper}{adverbs}{match['gap'] or ''}{verb}"
    if who == "you" and not (verb and (verbs.is_finite(verb))):
        return match[0].replace(match["who"], name, 1)
    return f"{name}{adverbs}{match['gap'] or ''}{verbs.third(verb)}"


def _other(match: re.Match[str], voice: Voice) -> str:
    word = match["word"].casefold()
    name = voice.you if word.startswith("you") else voice.me
    if not name:
        return match[0]
    if word in _POSSESSIVE:
        return possessive(name)
    return name if word not in _REFLEXIVE else "themself"


def lead(text: str, voice: Voice) -> str:
    """Give a clause without a subject (`Paid the deposit`) the speaker as its subject; leave any other as it is."""
    first, _, rest = text.partition(" ")
    folded = first.casefold().rstrip(",").replace("’", "'")
    if not rest or not voice.me:
        return text
    if first.endswith(",") and folded not in verbs.ADVERBS and not verbs.is_past(folded):
        return text  # `can't, cooking all day`
    if folded in verbs.ADVERBS and rest:
        second = rest.partition(" ")[0].casefold()
        if verbs.is_past(second) or second.endswith("ing"):
            following = lead(rest, voice)
            return text if following == rest else _insert(following, voice.me, first.casefold())
        return text
    return _led(folded, text, rest, voice)


def _led(folded: str, text: str, rest: str, voice: Voice) -> str:
    """Give a clause the speaker as its subject where its first word is a verb form that lacks one."""
    if folded in ("been", "gone"):
        return f"{voice.me} has {lowered(text)}"
    if verbs.is_running(folded):
        running = _no_subject(rest) and not _tells(rest)
        told = any(map(verbs.is_past, rest.partition(",")[0].split()))
        return f"{voice.me} is {lowered(text)}" if running and not told else text
    if verbs.is_past(folded) and folded not in _UNTOLD and _no_subject(rest):
        return f"{voice.me} {lowered(text)}"
    if folded == "was" and _THING.match(rest):
        return text  # `was an old gallery` says what something was
    if folded in ("don't", "dont") and rest.split(" ", 1)[0].casefold() not in _FELT:
        return text
    if folded in _HELPERS or folded in _WANTS:
        return f"{voice.me} {verbs.third(folded)} {rest}"
    return text


_UNTOLD = frozenset("was were let put cut set read".split())
_HELPERS = frozenset("was will can't won't couldn't didn't don't dont haven't had am".split())
_THING = re.compile(r"(?:not )?(?:an?|the)\b", re.IGNORECASE)
_NOUN_AFTER = frozenset(
    """
    the a an my our his her their your its some any no all of for with in on to and or at from by about two three four
    five six new old more that this these those
    """.split()
)


def _tells(rest: str) -> bool:
    """Say whether what follows `-ing` goes on with a verb of its own: `Asking more often returns the same number`."""
    head = rest.partition(",")[0].split()
    before = ["", *(word.casefold() for word in head)]
    return any(verbs.is_third(word) and before[at] not in _NOUN_AFTER for at, word in enumerate(head) if at)


_WANTS = frozenset(
    "need want love like hate prefer hope plan think live work use feel enjoy miss wish try know remember".split()
)
_COPULAS = frozenset("is are was were has have".split())
_FELT = _WANTS | frozenset("have eat drink mind believe understand care own".split())
"""What `don't` can tell of a speaker; before any other verb it is an order."""


def _no_subject(rest: str) -> bool:
    """Say whether what follows a word in `-ed` lets it be a verb: `Moved to Bristol`, not `shared drive is full`."""
    head = rest.partition(",")[0].casefold().split()
    return "→" not in head and _COPULAS.isdisjoint(head)


def _insert(text: str, name: str, adverb: str) -> str:
    return f"{name} {adverb} {text[len(name) + 1 :]}"


def lowered(text: str) -> str:
    """A text whose first word no longer begins a sentence."""
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def capitalised(text: str) -> str:
    """A sentence with its first letter large, where it begins with a plain word."""
    first = text.split(" ", 1)[0]
    plain = first.isalpha() and first.islower() or first in ("the", "a")
    return text[0].upper() + text[1:] if plain else text
