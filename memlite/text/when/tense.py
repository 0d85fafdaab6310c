"""Whether a clause looks back or ahead, by its words: which of two Mays is meant, the last or the next."""

import re
from functools import cache

from memlite.text.when.tokens import Token

_FUTURE = {
    "en": """will won't gonna going shall plan planning plans next tomorrow due until till upcoming scheduled booked
        let's want wants need needs hope hopes should deadline expires ends starts start begins begin leave leaves fly
        flies coming moving leaving ship remind try not""",
    "de": "werde wird werden will wollen soll sollen kann können möchte muss müssen kommt komme nächste bis ab",
    "fr": "vais va vont allons allez veux veut voudrais dois doit prévu prochain prochaine jusqu faut",
    "es": "voy va vamos van quiero quiere queremos tengo próximo próxima hasta",
    "pt": "vou vai vamos vão quero quer queremos preciso próximo próxima até",
}
_PAST = {
    "en": """was were did had been went got took came left bought told said made saw met moved gave found felt ran sent
        spent lost kept began won built wrote ate drove flew paid sold taught thought brought caught chose quit broke
        fell knew grew slept spoke wore woke since ago last yesterday didn't wasn't weren't hadn't did't became froze
        threw swam sang rode stole tore drew rang shook stood stuck struck swore
        rewrote bit blew dug drank forgot hid rose shot sank won""",
    "de": "war waren hatte hatten wurde wurden seit ging kam gab wart warst sah nahm fand blieb",
    "fr": "étaient était avait avaient depuis suis",
    "es": "fue fui fuimos era eran había he ha hemos han estuve estuvo hizo hice vino",
    "pt": "foi fui fomos era eram estava estavam tinha fiz fez desde teve tive veio vim",
}
_PAST_ENDING = {
    "en": r"[^\W\d_]{2,}ed",
    "de": r"ge[^\W\d_]{3,}(?:t|en)|(?:ver|be|er|ent)[^\W\d_]{2,}t|[^\W\d_]+iert",
    "fr": r"[^\W\d_]{2,}(?:ée?s?|ais|ait|aient)",
    "es": r"[^\W\d_]+(?:ó|aron|ieron|aba|aban|ía|ían)",
    "pt": r"[^\W\d_]+(?:ou|ei|eu|iu|aram|eram|iram|ava|avam)",
}
_FUTURE_ENDING = {
    "en": r"[^\W\d_]+'ll",
    "de": r"(?!)",
    "fr": r"[^\W\d_]{2,}(?:rai|ras|ra|rons|rez|ront)",
    "es": r"[^\W\d_]{2,}(?:ré|rás|rá|remos|rán)",
    "pt": r"[^\W\d_]{2,}(?:rei|rá|remos|rão)",
}
_CUES = {lang: {**dict.fromkeys(_PAST[lang].split(), -1), **dict.fromkeys(_FUTURE[lang].split(), 1)} for lang in _PAST}
_ENDS = ";.,:()"
_REACH = 25
"""Tokens looked at on either side; a clause is seldom longer."""


def direction(found: list[Token], first: int, last: int, text: str, lang: str) -> int:
    """Return -1 where the clause around tokens `first` to `last` tells of the past, 1 of what is to come, else 0.

    The nearest cue before the time decides, then the nearest behind it.
    """
    before = found[max(0, first - _REACH) : first]
    behind = found[last : last + _REACH]
    opens = first == 0 or found[first - 1].kind in _ENDS or (found[first - 1].kind in "it" and first < 3)
    for side in (before[::-1], behind[1:] if opens and behind and behind[0].kind == "," else behind):
        for token in side:
            if token.kind in _ENDS:
                break
            if cue := 0 if _is_state(text, token) else _cue(text[token.start : token.end], lang):
                return cue
    return 0


_STATE = re.compile(r"\b(?:is|are|am|be|isn't|aren't|'s|'re|'m)\s+(?:\w+ly\s+|still\s+)?$", re.IGNORECASE)


def _is_state(text: str, token: Token) -> bool:
    """Say whether what looks past is how things are: `Friday is cancelled`."""
    return (
        text[token.end - 2 : token.end] == "ed"
        and _STATE.search(text[max(0, token.start - 24) : token.start].replace("’", "'")) is not None
    )


def _cue(word: str, lang: str) -> int:
    folded = word.casefold().replace("’", "'")
    if known := _CUES[lang].get(folded):
        return known
    ending = _endings(lang).fullmatch(folded)
    return 0 if ending is None else -1 if ending[1] else 1


@cache
def _endings(lang: str) -> re.Pattern[str]:
    return re.compile(f"({_PAST_ENDING[lang]})|({_FUTURE_ENDING[lang]})")
