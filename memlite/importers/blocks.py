"""The content of a message as assistants' APIs write it: a text, or blocks of text, thinking, tool calls, results."""

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct

from memlite.types.transcript import DroppedBlock, Message, Role, Skip, ToolUse

PARAGRAPH = "\n\n"
_TEXTS = ("text", "input_text", "output_text")


class Block(Struct, gc=False):
    """View of one block. Fields that some client may write otherwise are `Any`: an odd one costs the field only."""

    type: Any = ""
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    content: Any = None
    is_error: Any = None


Content: TypeAlias = str | list[Block | str] | None


class Parts(Struct):
    """A content sorted into what memlite keeps, and the kinds of the blocks that it does not keep."""

    texts: list[str] = []
    thinking: list[str] = []
    calls: list[ToolUse] = []
    results: list[ToolUse] = []
    dropped: list[str] = []

    @property
    def text(self) -> str:
        """What was said; "" when that is only white space."""
        joined = PARAGRAPH.join(self.texts)
        return "" if joined.isspace() else joined

    @property
    def thought(self) -> str:
        """The thinking, in the same form."""
        return PARAGRAPH.join(self.thinking)

    def nothing(self, line: int) -> Skip:
        """Say why nothing remains to store."""
        kinds = " and ".join(dict.fromkeys(self.dropped))
        return Skip(f"{kinds} only" if kinds else "empty", line)

    def drops(self, line: int) -> Iterable[DroppedBlock]:
        """Yield what is not kept."""
        return (DroppedBlock(kind, line) for kind in self.dropped)


def text_of(value: object) -> str:
    """Return a text as it is, and "" for anything else a source may write in its place."""
    return value if isinstance(value, str) else ""


def sort_out(content: Content) -> Parts:
    """Sort a content into its parts."""
    parts = Parts()
    if isinstance(content, str):
        parts.texts.append(content)
        return parts
    for block in content or ():
        if isinstance(block, str):
            parts.texts.append(block)
        else:
            _put(parts, block, text_of(block.type))
    return parts


def assemble(parts: Parts, role: Role) -> Message | None:
    """Make a message of the parts, without what only its record knows; None when nothing remains to store.

    Results that stand alone are a tool's answer although clients file them under the user.
    """
    text, thought = parts.text, parts.thought
    tools = (*parts.calls, *parts.results)
    if not (text or thought or tools):
        return None
    alone = bool(parts.results) and not (text or thought or parts.calls)
    return Message("tool" if alone else role, text, thinking=thought, tools=tools)


def _put(parts: Parts, block: Block, kind: str) -> None:
    if kind in _TEXTS:
        parts.texts.extend([block.text] if text_of(block.text) else [])
    elif kind == "thinking":
        parts.thinking.extend([block.thinking] if text_of(block.thinking) else [])
    elif kind.endswith("tool_use"):  # also `server_tool_use`, `mcp_tool_use`
        parts.calls.append(ToolUse(text_of(block.name), text_of(block.id), _written(block.input)))
    elif kind.endswith("tool_result"):
        output = _output(block.content, parts.dropped)
        parts.results.append(ToolUse("", text_of(block.tool_use_id), "", output, block.is_error is True))
    else:
        parts.dropped.append(kind or "unnamed block")


def _written(value: object) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=float)


def _output(value: object, dropped: list[str]) -> str:
    """Join the texts of a tool's result, and note what is not text in `dropped`."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return _written(value)
    texts = []
    for block in value:
        kind, text = (block.get("type"), block.get("text")) if isinstance(block, dict) else ("text", block)
        if isinstance(text, str):
            texts.append(text)
        else:
            dropped.append(text_of(kind) or "unnamed block")
    return PARAGRAPH.join(texts)
