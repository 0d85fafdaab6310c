"""How an English claim reads: advice and rules reported, colouring words gone, a sentence at the end."""

import re

from memlite.extract import verbs
from memlite.extract.voice import Voice, capitalised, lowered, possessive
from memlite.text.words import FUNCTION_WORDS, words

_ADVICE = re.compile(
    r"(?P<who>(?:The |the )?\S+(?: \S+)?) (?:(?P<would>would(?: say)?)|recommend(?:s|ed)?|suggest(?:s|ed)?"
    r"|advise[sd]?)(?P<to> to)? (?P<what>\S.*)",
    re.DOTALL,
)
_STANDING = re.compile(
    r"\b(?:always|never|from now on|in future|in the future|every time|by default|at all times)\b", re.IGNORECASE
)
_NEVER = re.compile(r"(?:never|always)\s+(?!mind\b)[a-z]+(?<!ed)\s", re.IGNORECASE)
_NO = re.compile(
    r"no(?:\s+[\w-]+){1,4}\b(?!.*\b(?:is|are|was|were|left|since|today|yet)\b)(?=.*\b(?:in|please|ever"
    r"|anymore|anywhere)\b)",
    re.I,
)


def is_order(text: str) -> bool:
    """Say whether a text tells somebody to do something."""
    first, _, rest = text.partition(" ")
    folded = first.casefold()
    return bool(rest) and folded in verbs.IMPERATIVE and not verbs.is_past(first) and not _is_noun(folded, rest)


_ALSO_NOUNS = frozenset(
    """
    book change check clean clear click combine cook cool copy cover cut draft drain drink drop dry export file fill
    fix flush fold freeze heat hold import increase limit list log look lower mark mix mount move order pack paste pay
    pick pin place plan post press print pull push record report reset rest return roll save schedule set share show
    sign sort split start stop store swap switch test time touch track trim turn type update upgrade use wait walk
    wash watch wrap
    """.split()
)
_DETERMINER = frozenset("the a an that it this these those sure whether if how your my our his her their its".split())


def _is_noun(first: str, rest: str) -> bool:
    """Say whether what looks like an order opens a statement: `Dry air opens seams`, `Order status stays open`."""
    second, _, more = rest.partition(" ")
    third = more.partition(" ")[0]
    return first in _ALSO_NOUNS and second.casefold() not in _DETERMINER and second.isalpha() and verbs.is_third(third)


def ruled(text: str, voice: Voice) -> str:
    """A standing rule, told as an order, as what its speaker wants; any other text as it is."""
    if _NO.match(text):
        return f"{voice.me} wants {lowered(text)}"
    if _NEVER.match(text) or (is_order(text) and _STANDING.search(text)):
        return f"{voice.me} wants to {lowered(text)}"
    return text


_OWN = """
    mum mom mother mama dad father papa sister brother wife husband girlfriend boyfriend fiancée fiancé nana grandma
    grandpa granny grandmother grandfather daughter son aunt auntie uncle cousin niece nephew boss
    landlord landlady flatmate
    roommate address commute salary rent budget birthday appointment interview flight surgery operation job shift phone
    landline goal floor lesson exam thesis dissertation deadline knee back shoulder wrist ankle hip
    """.split()
_OWNED = re.compile(
    rf"(?:(?:new|old|first|next|last|older|younger|little|big|left|right|ex|step)\s+)?(?:{'|'.join(_OWN)})\b(?!-)"
    r"(?=['’]?s?\s+(?:\w+\s+){0,2}?(?:is|are|was|were|has|had|says?|said|wants?|needs?|hates?|loves?|starts?|ends?"
    r"|did|goes|comes"
    r"|came|lives|works|died|made|got|will|can)\b)",
    re.IGNORECASE,
)
"""What people speak of without `my` and mean their own."""


def owned(text: str, voice: Voice) -> str:
    """Say whose it is where a text begins with what is the speaker's own (`mum says`, `new address is`)."""
    return f"{possessive(voice.me)} {lowered(text)}" if _OWNED.match(text) else text


def advice(text: str, voice: Voice) -> str:
    """What an assistant would do, or tells somebody to do, as what it recommended."""
    if (found := _ADVICE.fullmatch(text)) and found["who"].casefold() == voice.me.casefold():
        return f"{voice.me} recommended {'to ' if found['would'] or found['to'] else ''}{found['what']}"
    rest = text.partition(" ")[2]
    if is_order(text) and (rest[0].isalpha() or rest[0] in '`"“('):
        return f"{voice.me} recommended to {lowered(text)}"
    return text


_EMPTY = re.compile(
    r"(?:,\s+)?(?<![\w'’-])(?:just|actually|really|basically|literally|honestly|anyway|btw|also|though|haha+|lol"
    r"|obviously|please|pls|kinda"
    r"|hmm?|oh|ok|okay|tbh|like,|right now|as well|by the way|of course|you know)(?![\w'’-])(?:,(?=\s))?\s*",
    re.IGNORECASE,
)
_INTERJECTION = re.compile(
    r"\A(?:(?:ah+|aha+|ha|huh|oof|phew|yes|yeah|yep|nah|no no)\b[,!.]*\s+)+(?=\S+\s)", re.IGNORECASE
)
_GAP = re.compile(r" +([,.;:!?])(?=\s|$)")
_IS = re.compile(
    r"\b(it|that|there|he|she|who|what|here)['’]s(?!\w)(?P<of>(?=\s+(?:been|got)\b))?|\b(they|we|you)['’]re(?!\w)",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """An English text without the words that only colour it, and with `is` written out."""
    text = _INTERJECTION.sub("", text)
    bare = _GAP.sub(r"\1", " ".join(_EMPTY.sub(" ", text).split())).strip(" ,")
    return _IS.sub(
        lambda found: f"{found[1]} {'is' if found['of'] is None else 'has'}" if found[1] else f"{found[3]} are",
        bare or text,
    )


_LEFT_OPEN = frozenset("do does did done take takes took get gets got make makes made put puts bring brings".split())


_PAIRS = (("(", ")"), ("“", "”"), ('"', '"'))
_FACE = re.compile(r"[:;]-?[()]")


def mended(text: str) -> str:
    """A text without the halves of brackets and quotation marks whose other half was cut off."""
    for opening, closing in _PAIRS:
        faces = {place for face in _FACE.finditer(text) for place in range(*face.span())}
        marks = [at for at, sign in enumerate(text) if sign in (opening, closing) and at not in faces]
        lone: list[int] = []
        for at in marks:
            if lone and text[lone[-1]] == opening and text[at] == closing:
                lone.pop()
            else:
                lone.append(at)
        text = "".join(sign for at, sign in enumerate(text) if at not in lone)
    return text


def is_hollow(text: str) -> bool:
    """Say whether an English text says no more than that somebody does something: `The user took on Wednesday`.

    :param text: what was said, without names of speakers and times
    """
    said = [word.casefold() for word in words(text)]
    weighty = [word for word in said if word not in FUNCTION_WORDS["en"] and word not in verbs.AUXILIARIES]
    return all(word in _LEFT_OPEN or word in verbs.ADVERBS for word in weighty)


def finished(text: str) -> str:
    """A text as a sentence."""
    text = text.strip()
    end = text[-1:] if text[-1:] in ".?。！？" else "。" if text[-1:] > "\u3000" else "."
    return capitalised(text.rstrip(" ,;:!…" + end)) + end
