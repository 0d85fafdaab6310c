"""What importers produce and the verbatim layer keeps: conversations, messages, tool calls."""

from typing import Literal

from msgspec import Struct

Role = Literal["user", "assistant", "tool"]
Style = Literal["assistant", "peers"]


class ToolUse(Struct, frozen=True, omit_defaults=True):
    """A tool call, what it returned, or both. A source that reports the result in a later record gives a second ToolUse
    with the same `call_id`, in a message of role `tool`."""

    name: str = ""
    call_id: str = ""
    input: str = ""
    """The arguments, as the source wrote them (JSON text for coding agents)."""
    output: str = ""
    is_error: bool = False


class Message(Struct, frozen=True, omit_defaults=True):
    """One turn of one speaker, untouched.

    `content` is what was said and the only part that belongs to an exchange; `thinking` and `tools` are kept beside it.
    """

    role: Role
    content: str = ""
    speaker: str = ""
    """The name the source gives, or "" when it gives only a role."""
    said_at: str | None = None
    """UTC, ISO-8601 with milliseconds and `Z`; None when the source does not say."""
    utc_offset: int | None = None
    """Minutes east of UTC in the source's own writing; None when it wrote none."""
    external_id: str = ""
    thinking: str = ""
    tools: tuple[ToolUse, ...] = ()
    automated: str = ""
    """Why this was not typed by a person (`compaction summary`, `command`, ...), or ""."""


class Conversation(Struct, frozen=True, omit_defaults=True):
    """One thread from one source, without its messages."""

    external_id: str
    title: str = ""
    project: str = ""
    cwd: str = ""
    style: Style = "assistant"
    """`peers` when people talk with people: whoever speaks first has role `user`."""


class Entry(Struct, frozen=True):
    """A message on its way into the store.

    `identity` says when two messages are the same one: equal identities are stored once. None lets the store decide
    by the text and its place in the conversation, for sources that give neither ids nor times.
    """

    conversation: Conversation
    message: Message
    identity: str | None
    line: int = 0
    """1-based line (JSONL) or record number in the file."""


class Skip(Struct, frozen=True):
    """A record that is not stored, and why. `issue` marks those the user should look at."""

    reason: str
    line: int = 0
    detail: str = ""
    issue: bool = False


class Place(Struct, frozen=True):
    """Where a message stands in its conversation: all that segmentation needs to know of it."""

    seq: int
    """0-based among all messages of the conversation."""
    ply: int | None
    """0-based among what users and assistants said; None for a message that holds only tools or thinking."""
    role: Role
    said_at: str | None = None
    automated: str = ""
    chars: int = 0
    """Length of what was said."""


class Span(Struct, frozen=True):
    """One exchange, or one part of a long one, as ranges over its conversation; both ends included."""

    ply_start: int
    ply_end: int
    seq_start: int
    seq_end: int
    part: int = 0
    lead_seq: int | None = None
    """In a later part: the question it goes on answering."""
    said_from: str | None = None
    said_to: str | None = None
    automated: str = ""
    chars: int = 0


class DroppedBlock(Struct, frozen=True):
    """A part of a record that memlite does not keep, such as an image. The record itself is stored or skipped apart."""

    kind: str
    line: int = 0
