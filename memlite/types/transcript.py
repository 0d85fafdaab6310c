"""What importers produce and the verbatim layer keeps: conversations, messages, tool calls."""

from typing import Literal

from msgspec import Struct

Role = Literal["user", "assistant", "tool"]
Style = Literal["assistant", "peers"]


class ToolUse(Struct, frozen=True, omit_defaults=True):
    """One tool call and what it returned; either half may be missing in the source."""

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


class ToolOutput(Struct, frozen=True):
    """A tool result that arrives in a record of its own and belongs to an earlier call of the same conversation."""

    conversation: Conversation
    call_id: str
    output: str
    is_error: bool
    identity: str
    line: int = 0
