"""The formats memlite reads, in the order they are tried: those with the most particular marks first."""

from collections.abc import Callable, Iterator
from pathlib import PurePath

from msgspec import Struct

from memlite.importers import claude_code, export, generic, locomo, longmemeval
from memlite.importers.sniff import Head, Shape
from memlite.importers.source import Item, Source


class Format(Struct, frozen=True):
    """A layout of one source's transcripts."""

    source: str
    """The application, under the name the store keeps."""
    layout: str
    matches: Callable[[Head], bool]
    records: Callable[[Source], Iterator[Item]]
    grows: bool = False
    """Whether a file can be read on from where the last import stopped."""
    place: tuple[str, ...] = ()
    """Folders in which files of this layout lie, for those whose content does not tell."""

    def is_at(self, path: PurePath) -> bool:
        """Tell a file of this layout by where it lies."""
        parts = path.parts
        spans = (parts[i : i + len(self.place)] for i in range(len(parts)))
        return bool(self.place) and path.suffix == f".{self.layout}" and self.place in spans


def _is_claude_code(head: Head) -> bool:
    return any(_is_claude_code_record(shape) for shape in head.lines())


def _is_claude_code_record(shape: Shape) -> bool:
    if shape.get("type") in ("user", "assistant"):
        return shape.has("message.role", "message.content") and shape.has("uuid", "sessionId", "parentUuid")
    return shape.get("type") in claude_code.BOOKKEEPING and shape.has("sessionId", "leafUuid", "messageId")


def _is_web_session(head: Head) -> bool:
    return head.whole.has("loglines") and head.whole.has("loglines.item.message")


def _is_locomo(head: Head) -> bool:
    turn = any(path.startswith("item.conversation.session_") and path.endswith(".dia_id") for path in head.whole)
    return turn or head.whole.has("item.qa.item.evidence")


def _is_longmemeval(head: Head) -> bool:
    return head.whole.has("item.haystack_sessions", "item.haystack_session_ids", "item.haystack_dates")


def _is_message_line(head: Head) -> bool:
    shape = head.record
    return _is_message(shape, "") or (shape.complete and _is_message(shape, "messages.item."))


def _is_message_document(head: Head) -> bool:
    return any(_is_message(head.whole, prefix) for prefix in ("item.", "messages.item.", "item.messages.item."))


def _is_message(shape: Shape, prefix: str) -> bool:
    """Tell a message of the generic form; blocks as Codex writes them and a session's metadata mark other programs."""
    named = shape.has(f"{prefix}role", f"{prefix}speaker") and shape.has(f"{prefix}content")
    block = shape.get(f"{prefix}content.item.type")
    return named and block not in ("input_text", "output_text") and not shape.has("payload", "metadata.session_id")


FORMATS: tuple[Format, ...] = (
    Format(export.SOURCE, "jsonl", export.matches, export.items),
    Format(
        claude_code.SOURCE,
        "jsonl",
        _is_claude_code,
        claude_code.read_jsonl,
        grows=True,
        place=(".claude", "projects"),
    ),
    Format(claude_code.SOURCE, "json", _is_web_session, claude_code.read_web_session),
    Format(locomo.SOURCE, "json", _is_locomo, locomo.read),
    Format(longmemeval.SOURCE, "json", _is_longmemeval, longmemeval.read),
    Format(generic.SOURCE, "jsonl", _is_message_line, generic.read_jsonl),
    Format(generic.SOURCE, "json", _is_message_document, generic.read_document),
)
