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
Block = tuple[Kind, int, int]
"""Lines of one kind and where they start and end."""

HEAD, TAIL = 6000, 3000
"""Characters read at either end of a message. Longer ones are pasted logs or files, whose middle says little."""

MAX_WORD = 60
"""A longer run of letters is a blob; its beginning tells it as well."""

_INJECTED = re.compile(
    r"<(system-reminder|memlite[\w-]*|local-command-caveat|task-notification|environment_context|user_instructions"
    r"|ide_opened_file|ide_selection|command-name|command-message|local-command-stdout)\b[^>]{0,200}>"
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•·▪◦‣✓✔✅❌☑→]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s*((?:#{1,6}\s+|(?=\*\*[^*]+\*\*:?\s*$))(?:\**\d{1,2}[.)]\s+)?)")
_PASTED = re.compile(
    r"\s*(?:"
    r"\||[+-]{2,}|={3,}|>>>|\$ |% |\d+[:|→]\s|⎿|…|⏺|[├└│─]|#!/"  # tables, rules, prompts, numbered lines, trees
    r"|at \w[\w.$<>]*\(|File \"|Traceback|diff --git|@@ |index [0-9a-f]{6,}|[+-](?=[\w\s(){}]*[({=;])"  # traces, diffs
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[\w.-]+@[\w.-]+\S*\s*[%$#]\s"  # log lines, shell prompts
    r"|(?:import|from|def|class|return|const|let|var|function|public|private|export)\s.*[;:({]\s*$"
    r"|(?:SELECT|INSERT|UPDATE|CREATE|ALTER)\s.*[;:({]\s*$"
    r"|[{}()\[\];]+,?\s*$|\"[\w.-]+\"\s*:|\{\s*\"|<\/?\w+[^>]*>\s*$|[\w.\[\]\"']+\s*(?:[+*/-]?=|=>|:=)\s*\S.*[;)\]}\"'\w]$"
    r"|(?:npm|yarn|pip|git|cd|ls|cat|curl|docker|kubectl|sudo|pytest|python3?) \S+(?: \S+){0,8}$"
    r")"
)
_CODE_SIGN = re.compile(r"[{}\[\]<>=;|\\$\"&]")
_TELLING = 300
"""Characters of a line that tell what kind it is."""
_CLAUSE = re.compile(
    r"(?<=\S)(?:;\s+|\s+[–—]\s+|\s+-{1,2}\s+|\s*(?:->|→)\s+(?=\w+ \w+ \w+)|[，；：、]"
    r"|,\s+(?=(?:but|so|because|and|then|since|while|or|if|when|not|mas|e|porque|então|pero|y|entonces"
    r"|aber|und|weil|denn|sondern|also|wenn|mais|et|donc|car)\b)"
    # what hangs on the word before it, a relative or a participle, is no clause of its own
    r"|,\s+(?!(?:\w+ing|which|who|whose|where|die|der|das|dass|qui|que)\b)(?=(?:\S{1,40}\s+){4})"
    r"|\s+(?=(?:because|porque|weil|parce que|instead of|so that)\s))"
)
_MAY_SPLIT = re.compile(r"[,;–—→，；：、]| -|->|because|porque|weil|parce que|instead of|so that")
"""Nearly half the sentences hold none of these, and finding that out costs a quarter of a search for places."""
_JOINING = re.compile(r"[,;:，；：、]|\s+[–—-]+(?=\s)|")
"""What of such a place stays with the clause before it, so that the two read as they stood when both are kept."""
_MID_PHRASE = re.compile(
    r"\b(?:an?|the|my|our|your|his|her|their|its|this|that|some|very|so|more|really)\s+[\w-]+,$", re.IGNORECASE
)
_OPENS = re.compile(
    r"\s*(?:\w+\s+(?:is|are|was|were|has|have|had|can|will|would|\w+ed|does|did|do)"
    r"|the|it|this|that|we|i|you|they|he|she|there|no|my)\b",
    re.IGNORECASE,
)
"""How a clause of its own begins; what comes after `a safe,` and does not is one more adjective."""
_MIN_CLAUSE = 18
"""A shorter piece (characters) says nothing alone and stays with what follows or precedes it."""
_CJK_RUN = re.compile(rf"[{CJK}]")


class Clause(Struct, frozen=True, gc=False):
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
        content = _without_injected(content)
    if len(content) > HEAD + TAIL:
        head = content.rfind("\n", HEAD // 2, HEAD)
        tail = content.find("\n", len(content) - TAIL, len(content) - TAIL // 2)
        stop = head if head > 0 else HEAD
        go = tail if tail > 0 else len(content) - TAIL
        content = content[:stop] + "\n" * (go - stop) + content[go:]
    return content


def _without_injected(content: str) -> str:
    """Blank out what tools put into a message. A tag that is never closed is talk about the tag."""
    parts: list[str] = []
    position = 0
    unclosed: set[str] = set()
    for match in _INJECTED.finditer(content):
        name = match[1]
        end = -1 if match.start() < position or name in unclosed else content.find(f"</{name}>", match.end())
        if end >= 0:
            end += len(name) + 3
            parts += content[position : match.start()], _NOT_NEWLINE.sub(" ", content[match.start() : end])
            position = end
        elif match.start() >= position:
            unclosed.add(name)
    return "".join(parts) + content[position:]


def to_clauses(contents: Sequence[str]) -> list[Clause]:
    """Every clause of an exchange, in order. `contents` are its turns' texts from `readable`."""
    found: list[Clause] = []
    sentence = 0
    for turn, content in enumerate(contents):
        for kind, start, end in _blocks(content):
            for spans in _sentences_of(kind, content[start:end].replace("\n", " ")):
                for begin, stop, text in spans:
                    said = tuple([word[:MAX_WORD] for word in words(text)])
                    found.append(Clause(turn, sentence, start + begin, start + stop, kind, len(found), text, said))
                sentence += 1
    return found


def _sentences_of(kind: Kind, block: str) -> Iterator[list[tuple[int, int, str]]]:
    """The clauses of each sentence of a block: where they stand in it, and how they read."""
    if kind == "pasted":
        yield [(0, len(block), block.strip())]
        return
    for first, last in sentences(block, 0, len(block)):
        pieces = [(begin, stop, _plain(block[begin:stop])) for begin, stop in _split(block, first, last)]
        yield [piece for piece in pieces if piece[2]]


def _blocks(content: str) -> Iterator[Block]:
    """Lines by kind; hard-wrapped lines of prose come joined."""
    fenced = False
    block: Block | None = None
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
        kind, offset = _kind(bare, code=fenced or _is_indented_code(bare, block))
        if block and kind == "prose" and block[0] in ("prose", "item") and _continues(content, block, bare):
            block = block[0], block[1], end
            continue
        if block:
            yield block
        block = kind, start + offset, end
    if block:
        yield block


def _is_indented_code(line: str, block: Block | None) -> bool:
    """Say whether a line is set in as code is, and is no sentence."""
    return line.startswith(("    ", "\t")) and (not block or block[0] == "pasted") and line[-1] not in ".!?:。！？"


def _kind(line: str, *, code: bool) -> tuple[Kind, int]:
    """The kind of a line, and where its text starts."""
    line = line[:_TELLING]
    if code:
        return "pasted", 0
    if heading := _HEADING.match(line):
        return "heading", heading.end(1)
    if item := _ITEM.match(line):
        return "item", item.end()
    if _PASTED.match(line) or len(_CODE_SIGN.findall(line)) * 6 > len(line):
        return "pasted", 0
    return "prose", 0


def _continues(content: str, block: Block, line: str) -> bool:
    """Say whether a line goes on with the sentence of the block: the line before was full, or broke mid-sentence."""
    before = content[max(block[1], content.rfind("\n", 0, block[2]) + 1) : block[2]]
    if before[-1] in ".!?:。！？":
        return len(before) > 90 and before[-1] != ":"
    return len(before) > 90 or (len(before) > 55 and line.lstrip()[0].islower())


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the clauses of a sentence; pieces too short to stand alone stay with a neighbour."""
    least = 8 if not text.isascii() and _CJK_RUN.search(text, start, end) else _MIN_CLAUSE
    if end - start < 2 * least or not _MAY_SPLIT.search(text, start, end):
        yield start, end
        return
    begin = start
    depth_from = start
    for match in _CLAUSE.finditer(text, start, end):
        stop = match.start() + _joining(match[0])
        piece = text[depth_from:stop]
        if (
            stop - begin < least
            or end - match.end() < least
            or piece.count("(") > piece.count(")")
            or piece.count("`") % 2
            or (match[0] == ", " and _MID_PHRASE.search(piece, len(piece) - 30) and not _OPENS.match(text, match.end()))
        ):
            continue
        yield begin, stop
        begin = depth_from = match.end()
    yield begin, end


def _joining(between: str) -> int:
    """How much of what parts two clauses stays with the first."""
    mark = _JOINING.match(between)
    return mark.end() if mark else 0


_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d\u2b50\u2b55"
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\s]*\)")
_BETWEEN = re.compile(rf"(?<=\w)(?:\*\*|[`{_EMOJI}])+(?=\w)")
"""Markup that parts two words: without it they would read as one that nobody wrote."""
_MARKUP = re.compile(rf"\*\*|[`{_EMOJI}]+|^[#>\s]+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)(?=[\s.,;:!?)]|$)")
_ONLY_WORDS = re.compile(r"[\w ,.;:!?()'\"/-]*(?<!_)")


def _plain(text: str) -> str:
    """A clause without markup, emoji and runs of space."""
    if text.isascii() and _ONLY_WORDS.fullmatch(text):
        return text.strip()
    if "](" in text:
        text = _LINK.sub(_unlinked, text)
    return " ".join(_MARKUP.sub("", _BETWEEN.sub(" ", text)).split())


def _unlinked(link: re.Match[str]) -> str:
    """The text of a link, kept apart from words that touch it."""
    before, after = link.string[: link.start()][-1:], link.string[link.end() :][:1]
    return " " * before.isalnum() + link[1] + " " * after.isalnum()
