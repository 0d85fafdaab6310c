"""From a message to the pieces a claim can be made of.

A piece is a clause as the distiller splits them, split once more where `and` or `but` opens a clause with a subject of
its own. Any few neighbouring pieces of one sentence may make a claim; `memlite.extract.judge` says which do.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from memlite.extract.verbs import PAST
from memlite.text import phrases
from memlite.text.clauses import Clause, Kind, readable, to_clauses
from memlite.types.records import Heard

LONGEST = 3
"""Pieces that one claim may take."""

_OWN_SUBJECT = re.compile(
    r"(?:,?\s+(?:and|but|so|plus|und|aber|y|pero|e|mas|et|mais)\s+(?:then\s+)?|,\s+)(?=(?:I|we|he|she|they|it|my"
    r"|our|his|her|their"
    r"|there|that|ich|wir|er|sie|je|il|elle|on|yo|eu|ele|ela|mi|meu|minha|mein|meine)(?:['’]\w+)?\s+\S)"
    r"|(?<=\d)\.\s+(?=[A-Z][a-z]+ \S)",
    re.IGNORECASE,
)
"""Where a clause with a subject of its own begins; the last is a full stop that could be an ordinal's."""
_CONJUNCTION = re.compile(
    r"(?:and|but|so|then|also|plus|because|since|as|cos|cuz|though|although|however|und|aber|weil|denn|y|pero|porque"
    r"|e|mas|et|mais|car)\s+(?!\d|far\b|long\b|soon\b|well\b|that\b|of\b)",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"(?:because|since|cos|cuz|as|porque|weil|denn|parce que|car|ya que|já que|因为|因為)\b\s*(?=\S+\s+\S+)",
    re.IGNORECASE,
)
_SO = re.compile(
    r"[\s,]*(?:and\s+)?(?:so(?!\s+(?:that|far|much|many|is|are|was|do|did|sorry)\b)|that['’]s why|therefore"
    r"|deshalb|daher|darum|por isso|por eso"
    r"|así que|donc|所以|だから)(?:\s+.*|\s*)",
    re.IGNORECASE | re.DOTALL,
)
_ASKING = re.compile(
    r"(?:(?:what|where|when|who|why|which|how)(?:['’]s|\s+(?:is|are|was|were|do|does|did|can|could|should|would"
    r"|will|to|about|if))"
    r"|(?:do|does|did|should|could|would|can|have|is|are)\s+(?:i|you|we|they|he|she|it|there|that|this))\b(?!.*[.,]\s)",
    re.IGNORECASE,
)
"""How a question begins that lacks its mark."""
_SUPPOSING = re.compile(
    r"(?:if|unless|imagine|suppose|what if|say i|i wish|wish i|if only|wenn|falls|angenommen|se|si|como si|imagina)\s",
    re.IGNORECASE,
)
_PHOTO = re.compile(r"\[shares a photo: (?P<caption>[^\]\n]+)\]")
"""How a photo's caption stands in the text of a message (`memlite.importers.locomo`)."""


_SAME_SUBJECT = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:(?:then|also|just|never|honestly|still|already)\s+)?(?:haven't|didn't|don't|can't"
    r"|won't|couldn't"
    rf"|will|was|had|am|{'|'.join(sorted(PAST))}|\w{{3,}}ed)\s)",
    re.IGNORECASE,
)
_OF_SPEAKER = re.compile(r"(?:\w+,?\s+){0,2}(?:I|we)\b", re.IGNORECASE)


class Piece(Struct, frozen=True, gc=False):
    """A part of one sentence that may be a claim or part of one."""

    text: str
    start: int
    end: int
    kind: Kind
    asked: bool
    """It is a question, or the end of one."""
    supposed: bool
    """It is, or hangs on, something only supposed: `if I win the lottery`."""
    causal: bool
    """It opens with `because` or the like."""
    following: bool
    """It opens with `so` or the like: what stands before it is its cause."""


def pieces(message: Heard, called: tuple[str, ...]) -> Iterator[list[Piece]]:
    """Yield the pieces of each sentence of a message that can hold a claim."""
    content = _PHOTO.sub(lambda photo: " " * len(photo[0]), readable(message.content))
    secret = phrases.shows_secret(content)
    for _, group in groupby(to_clauses([content]), key=lambda clause: clause.sentence):
        sentence = list(group)
        if sentence[0].kind in ("pasted", "heading"):
            continue
        if secret and phrases.shows_secret(" ".join(clause.text for clause in sentence)):
            continue
        found = list(_pieces(sentence, called))
        if found:
            yield found


def photos(message: Heard) -> Iterator[tuple[str, int, int]]:
    """Yield the captions of the photos a message shares, and where they stand."""
    if message.caption:
        yield message.caption, 0, len(message.content)
    for photo in _PHOTO.finditer(message.content):
        yield photo["caption"].strip(), photo.start(), photo.end()


def _pieces(sentence: Sequence[Clause], called: tuple[str, ...]) -> Iterator[Piece]:
    supposed = False
    for clause in sentence:
        for tie, text in _parted(clause.text):
            said = phrases.trimmed(text, called)
            if said:
                following = _SO.fullmatch(tie) is not None or _SO.match(text) is not None
                causal = _CAUSE.match(said) is not None
                asked = phrases.QUESTION.search(text[-12:]) is not None or _ASKING.match(said) is not None
                supposed = supposed or _SUPPOSING.match(said) is not None
                yield Piece(said, clause.start, clause.end, clause.kind, asked, supposed, causal, following)


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a clause with a subject of their own or the speaker as their common one, each with what ties it."""
    ties = [match[0] for match in _OWN_SUBJECT.finditer(text)]
    for tie, part in zip(["", *ties], _OWN_SUBJECT.split(text), strict=True):
        first, *rest = _SAME_SUBJECT.split(part) if _OF_SPEAKER.match(part) else (part,)
        yield tie, first
        for other in rest:
            yield "", other


def joined(parts: Sequence[str]) -> str:
    """Neighbouring pieces as one text, without the conjunction that tied the first to what came before."""
    ended = [part if part[-1] in ",;:.!?" else f"{part}," for part in parts[:-1]]
    return unbound(" ".join([*ended, *parts[-1:]]))


def unbound(text: str) -> str:
    """A text without the conjunctions it opens with."""
    while (bound := _CONJUNCTION.match(text)) and bound.end() < len(text):
        text = text[bound.end() :]
    return text.strip(" ,;:–—-")


def cause(text: str) -> str:
    """What a piece gives as a cause, without the word that says so; "" when it gives none."""
    found = _CAUSE.match(text)
    return text[found.end() :].strip(" ,;.!") if found else ""
