"""From a turn to the clauses a distiller can choose from.

Nothing is copied before it is chosen: a clause is a span of the turn's own content. What must not be read (reminders a
tool injected, the middle of a very long message) is blanked out character for character first, so that every span stays
true to the original.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from memlite.text.words import CJK, sentences, words

Kind = Literal["prose", "item", "heading", "pasted"]

HEAD, TAIL = 6000, 3000
"""Characters read at either end of a message. Longer ones are pasted logs or files, whose middle says little."""

_INJECTED = re.compile(
    r"<(system-reminder|memlite[\w-]*|local-command-caveat|task-notification|environment_context|user_instructions"
    r"|ide_opened_file|ide_selection|command-name|command-message|local-command-stdout)\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•·▪◦‣✓✔✅❌☑→]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s*#{1,6}\s+|\s*\*\*[^*]+\*\*:?\s*$")
_PASTED = re.compile(
    r"\s*(?:\||[+-]{2,}|={3,}|>>>|\$ |% |\d+[:|→]\s|at \w[\w.$<>]*\(|File \"|Traceback|diff --git|@@ |index [0-9a-f]{6,}|[+-](?=[\w\s(){}]*[({=;])"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:import|from|def|class|return|const|let|var|function|public|private|export|SELECT|INSERT|UPDATE|CREATE|ALTER)\s.*[;:({]\s*$"
    r"|[{}()\[\];]+,?\s*$|<\/?\w+[^>]*>\s*$|⎿|…|⏺|[├└│─]|[\w.-]+@[\w.-]+[^\s]*\s*[%$#]\s|#!/|(?:npm|yarn|pip|git|cd|ls|cat|curl|docker|kubectl|sudo|pytest|python3?) \S+(?: \S+){0,8}$"
    r"|[\w.\[\]\"']+\s*(?:[+*/-]?=|=>|:=)\s*\S.*[;)\]}\"'\w]$)"
)
_CODE_SIGN = re.compile(r"[{}\[\]()<>=;|\\$\"&*#@:/_]")
_CLAUSE = re.compile(
    r"(?<=[^\s])(?:;\s+|\s+[–—]\s+|\s+-{1,2}\s+|\s*(?:->|→)\s+(?=\w+ \w+ \w+)|[，；：、]"
    r"|,\s+(?=(?:but|so|because|which|and|then|since|while|or|if|when|where|who|not|mas|e|porque|então|que|pero|y|entonces|aber|und|weil|dass|denn|sondern|also|wenn|die|der|das|mais|et|donc|car|qui)\b)"
    r"|,\s+(?=(?:\S+\s+){4})|\s+(?=(?:because|porque|weil|parce que|instead of|so that)\s))"
)
_MIN_CLAUSE = 18
"""A shorter piece (characters) says nothing alone and stays with what follows or precedes it."""
_CJK_RUN = re.compile(rf"[{CJK}]")


class Clause(Struct, frozen=True):
    """A span of one turn's content. Clauses of one sentence share `turn` and `sentence`."""

    turn: int
    sentence: int
    start: int
    end: int
    kind: Kind
    number: int
    """Its place among all clauses of the exchange."""
    text: str
    """The span as it reads in a line of prose: markup and line breaks gone."""
    words: tuple[str, ...]


def readable(content: str) -> str:
    """A turn's content, same length, with injected text and the middle of a very long message blanked out."""
    if "</" in content:
        content = _INJECTED.sub(lambda match: _NOT_NEWLINE.sub(" ", match[0]), content)
    if len(content) > HEAD + TAIL:
        head = content.rfind("\n", HEAD // 2, HEAD)
        tail = content.find("\n", len(content) - TAIL, len(content) - TAIL // 2)
        stop = head if head > 0 else HEAD
        go = tail if tail > 0 else len(content) - TAIL
        content = content[:stop] + "\n" * (go - stop) + content[go:]
    return content


def to_clauses(contents: Sequence[str]) -> list[Clause]:
    """Every clause of an exchange, in order. `contents` are its turns' texts from `readable`."""
    found: list[Clause] = []
    sentence = 0
    for turn, content in enumerate(contents):
        for kind, start, end in _blocks(content):
            block = content[start:end].replace("\n", " ")
            spans = [(0, len(block))] if kind == "pasted" else sentences(block, 0, len(block))
            for first, last in spans:
                for begin, stop in [(first, last)] if kind == "pasted" else _split(block, first, last):
                    text = block[begin:stop].strip() if kind == "pasted" else _plain(block[begin:stop])
                    if text:
                        at = start + begin, start + stop
                        found.append(Clause(turn, sentence, *at, kind, len(found), text, tuple(words(text))))
                sentence += 1
    return found


def _blocks(content: str) -> Iterator[tuple[Kind, int, int]]:
    """Lines by kind; hard-wrapped lines of prose come joined."""
    fenced = False
    block: tuple[Kind, int, int] | None = None
    position = 0
    for line in content.splitlines(keepends=True):
        start, position = position, position + len(line)
        bare = line.rstrip()
        if _FENCE.match(bare):
            fenced = not fenced
            bare = ""
        if not bare:
            if block:
                yield block
            block = None
            continue
        end = start + len(bare)
        kind, offset = ("pasted", 0) if fenced else _kind(bare)
        if block and kind == "prose" and block[0] in ("prose", "item") and _continues(content, block, bare):
            block = block[0], block[1], end
            continue
        if block:
            yield block
        block = kind, start + offset, end
    if block:
        yield block


def _kind(line: str) -> tuple[Kind, int]:
    """The kind of a line, and where its text starts."""
    if heading := _HEADING.match(line):
        return "heading", heading.end() if line.lstrip().startswith("#") else 0
    if item := _ITEM.match(line):
        return "item", item.end()
    if _PASTED.match(line) or len(_CODE_SIGN.findall(line)) * 6 > len(line):
        return "pasted", 0
    return "prose", 0


def _continues(content: str, block: tuple[Kind, int, int], line: str) -> bool:
    """Say whether a line goes on with the sentence of the block: the line before was full, or broke mid-sentence."""
    before = content[max(block[1], content.rfind("\n", 0, block[2]) + 1) : block[2]]
    if before[-1] in ".!?:。！？":
        return len(before) > 90 and before[-1] != ":"
    return len(before) > 90 or (len(before) > 55 and line.lstrip()[0].islower())


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the clauses of a sentence; pieces too short to stand alone stay with a neighbour."""
    least = 8 if not text.isascii() and _CJK_RUN.search(text, start, end) else _MIN_CLAUSE
    if end - start < 2 * least:
        yield start, end
        return
    begin = start
    depth_from = start
    for match in _CLAUSE.finditer(text, start, end):
        stop = match.start() + (match[0][0] in ",;:，；：、")
        piece = text[depth_from:stop]
        if stop - begin < least or end - match.end() < least or piece.count("(") > piece.count(")") or piece.count("`") % 2:
            continue
        yield begin, stop
        begin = depth_from = match.end()
    yield begin, end


_LINK = re.compile(r"!?\[([^\]\n]*)\]\((?:[^)\s]*)\)")
_MARKUP = re.compile(r"\*\*|`|^[#>\s]+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)(?=[\s.,;:!?)]|$)")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50\u2b55]+")
_ONLY_WORDS = re.compile(r"[\w ,.;:!?()'\"/-]*(?<!_)")


def _plain(text: str) -> str:
    """A clause without markup, emoji and runs of space."""
    if _ONLY_WORDS.fullmatch(text):
        return text.strip()
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if not text.isascii():
        text = _EMOJI.sub("", text)
    return " ".join(_MARKUP.sub("", text).split())
