"""What the wording, the place and the speaker of a piece of talk say about its being a claim."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from memlite.extract import verbs
from memlite.text.slug import stem
from memlite.text.talk import is_warm
from memlite.text.words import is_identifier, rarity, words

_WORDS = {
    "hypothetical": "if unless imagine suppose whether maybe perhaps might should would could wenn falls se si",
    "hedge": "probably guess think maybe seem seems likely sure usually often typically can may",
    "negation": "not no never nothing nobody none kein keine keinen keiner nicht não nunca pas jamais cannot",
    "future": "will going gonna plan plans planned tomorrow next",
    "you": "you your you're u yours",
    "I": "i we my our us me",
    "chat": "lol haha hahaha hahahaha omg xd wow ugh argh yay kkk jaja jajaja hehe",
    "done": "done fixed added changed moved removed merged passed now work works green updated created switched",
    "state": "is are was were has have had",
    "vague": "it it's its that that's this these those they them their he she his her him one thing things stuff",
    "profile": """
        love loves loved like likes hate hates hated prefer prefers preferred enjoy enjoys allergic allergy intolerant
        intolerance dislike dislikes favourite favorite afraid scared terrified phobia vegetarian vegan celiac coeliac
        asthma diabetic diabetes vertigo never always usually every wants insists speaks fluent plays sings collects
        hobby sensitive obsessed gosta adora odeia prefere alérgico alérgica gusta odia prefiere liebt hasst mag
        verträgt lieber aime déteste préfère
        """,
    "event": """
        appointment interview flight wedding meeting kick-off training exam surgery operation funeral birthday deploy
        release migration concert lesson visit trip party dinner delivery deadline will gonna booked scheduled tomorrow
        starts begins arrives comes leaves opens vai wird werde
        """,
}
_FLAGS_OF: dict[str, set[str]] = defaultdict(set)
for _name, _listed in _WORDS.items():
    for _word in _listed.split():
        _FLAGS_OF[_word].add(_name)
_CJK_PROFILE = re.compile("喜欢|讨厌|过敏|好き|嫌い|苦手|アレルギー")
_OPENING = re.compile(
    r"(?P<it>it|its|it's|that|that's|this|these|those|which)\b|(?P<they>they|they're|their|them)\b|(?P<he>he|she"
    r"|his|her|he's|she's)\b"
    r"|(?P<there>there|there's)\b|(?P<here>here|here's)\b|(?P<wh>what|when|where|who|why|how)\b|(?P<if>if|unless"
    r"|when|while|once)\b"
    r"|(?P<the>the|a|an)\b|(?P<all>all|both|each|every|no|some|most)\b|(?P<prep>in|on|at|for|with|from|to|after"
    r"|before|by)\b",
    re.IGNORECASE,
)
_SYMBOLS = re.compile(r"[{}\[\]<>=|;$&\\]")
_LENGTHS = (3, 5, 7, 10, 14, 19, 26)
_COUNTS = (1, 2, 4, 8, 16)


WEIGHTY = 0.45
"""Rarity from which on a word tells what a sentence is about."""


class Told(Struct, frozen=True, gc=False):
    """What the words of a piece say, whoever says them and wherever they stand."""

    flags: frozenset[str]
    size: int
    numbers: int
    names: int
    vague: int
    warm: int
    worth: float
    weighty: tuple[str, ...]
    """The stems of its weightier words."""


class Setting(Struct, frozen=True):
    """Where a candidate stands."""

    who: str
    """`peer`, `user` or `answer`."""
    coding: bool
    lang: str
    me: str
    place: int
    """Which sentence of its message it is in."""
    sentences: int
    """How many sentences the message has."""

    @property
    def speech(self) -> str:
        """Who speaks, and whether the talk is of code."""
        return f"{self.who} code" if self.coding else self.who


class Wording(Struct, frozen=True):
    """How a candidate came to read as it does."""

    content: str
    kind: str
    told: Sequence[Told]
    """What each of its pieces says."""
    echo: float
    """The share of its weightier words that others said before in the window."""
    flags: frozenset[str]
    """Of its making: `led`, `advised`, `timed`, ..."""


class _Traits(NamedTuple):
    """What a single word says."""

    flags: frozenset[str]
    numbered: bool
    named: bool
    warm: bool
    worth: float
    weighty: str
    """Its stem where it is one of the weightier words, else ""."""


@lru_cache(maxsize=16384)
def _traits(word: str, lang: str) -> _Traits:
    folded = word.casefold().replace("’", "'")
    flags = set(_FLAGS_OF.get(folded, ()))
    if folded.endswith("n't"):
        flags.add("negation")
    elif folded.endswith("'s"):
        flags.add("state")
    if is_identifier(word):
        flags.add("identifier")
    if lang == "en":
        if verbs.is_finite(word):
            flags.add("verb")
        if verbs.is_past(word):
            flags.add("past")
    worth = rarity(word)
    return _Traits(
        flags=frozenset(flags),
        numbered=any(map(str.isdigit, word)),
        named=word[0].isupper() and worth > 0.5,
        warm=lang == "en" and is_warm(word),
        worth=worth,
        weighty=stem(word) if worth > WEIGHTY else "",
    )


def told(text: str, lang: str) -> Told:
    """Look at the words of a piece."""
    said = [_traits(word, lang) for word in words(text)]
    flags = frozenset[str]().union(*[one.flags for one in said])
    if len(_SYMBOLS.findall(text)) > 3:
        flags |= {"symbols"}
    if text.count("(") != text.count(")"):
        flags |= {"torn"}
    if not text.isascii() and _CJK_PROFILE.search(text):
        flags |= {"profile"}
    return Told(
        flags=flags - {"vague"},
        size=len(said),
        numbers=sum([one.numbered for one in said]),
        names=sum([one.named for one in said[1:]]),
        vague=sum(["vague" in one.flags for one in said[1:]]),
        warm=sum([one.warm for one in said]),
        worth=sum([one.worth for one in said]),
        weighty=tuple([one.weighty for one in said if one.weighty]),
    )


def signs(wording: Wording, setting: Setting) -> tuple[str, ...]:
    """Return the signs of one candidate."""
    run = wording.told
    size = sum([one.size for one in run])
    worth = sum([one.worth for one in run]) / max(1, size)
    flags = wording.flags.union(*[one.flags for one in run])
    both = (
        *sorted(flags),
        _opening(wording.content, setting),
        _sign("numbers", min(3, sum([one.numbers for one in run]))),
        _sign("names", min(3, sum([one.names for one in run]))),
        _sign("vague", min(3, sum([one.vague for one in run]))),
        _sign("warm", min(3, sum([one.warm for one in run]))),
        _sign("length", _rank(size, _LENGTHS)),
        _sign("weighty", _rank(sum([len(one.weighty) for one in run]), (0, 1, 2, 4, 6, 9))),
        _sign("worth", _rank(int(20 * worth), (3, 5, 7, 9, 11))),
    )
    return (
        *_standing(setting),
        _of(setting.speech, wording.kind),
        _sign("pieces", len(run)),
        _of(setting.speech, _sign("echo", _rank(int(wording.echo * 100), (10, 25, 50, 75)))),
        *both,
        *[_of(setting.who, sign) for sign in both],
    )


_UNKNOWN = frozenset(["begins with it", "begins with they", "begins with he"])
_BARE = frozenset(["numbers 0", "names 0"])
_LIGHT = frozenset(["weighty 0", "weighty 1", "weighty 2"])
_ANCHORED = frozenset(["timed", "identifier"])


def stands_alone(found: Collection[str]) -> bool:
    """Say whether a candidate tells enough without what came before: `it was tough` does not."""
    return (
        _UNKNOWN.isdisjoint(found)
        or not _BARE.issubset(found)
        or _LIGHT.isdisjoint(found)
        or not _ANCHORED.isdisjoint(found)
    )


def _standing(setting: Setting) -> tuple[str, ...]:
    """The signs of where a candidate stands."""
    speech = setting.speech
    return (
        "all",
        speech,
        _of(setting.who, _sign("sentences", _rank(setting.sentences, _COUNTS))),
        _of(speech, _sign("place", _rank(setting.place, _COUNTS))),
        _of("language", setting.lang if setting.lang in ("en", "zh", "ja") else "other"),
    )


@lru_cache(maxsize=4096)
def _sign(name: str, value: int) -> str:
    return f"{name} {value}"


@lru_cache(maxsize=4096)
def _of(who: str, sign: str) -> str:
    """A sign as one of what somebody says."""
    return f"{who}, {sign}"


def _rank(value: int, limits: tuple[int, ...]) -> int:
    return sum([value > limit for limit in limits])


def _opening(content: str, setting: Setting) -> str:
    """How it begins."""
    if content[: len(setting.me)].casefold() == setting.me.casefold():
        return "begins with speaker"
    if found := _OPENING.match(content):
        return f"begins with {found.lastgroup}"
    first = content.split(" ", 1)[0].strip(",.:;!")
    if setting.lang == "en" and first.casefold() in verbs.IMPERATIVE:
        return "begins with order"
    if is_identifier(first):
        return "begins with identifier"
    if first[:1].isdigit():
        return "begins with number"
    if first[:1].isupper() and rarity(first) > 0.6:
        return "begins with name"
    return "begins with verb" if setting.lang == "en" and verbs.is_finite(first) else "begins otherwise"
