"""Dimensional records: one dated, typed claim each, and the windows of talk they are read from."""

from typing import Literal

from msgspec import Struct

from memlite.types.transcript import Style

RecordType = Literal["fact", "episodic", "profile"]
RecordState = Literal["active", "superseded"]
RecordEngine = Literal["extractive", "gguf"]
ClosedHow = Literal["merge", "supersede", "retract"]
RecordOrder = Literal["newest", "oldest", "time"]
"""By when it was said, or by when it happened."""


class Heard(Struct, frozen=True):
    """One message as an extractor reads it."""

    ply: int
    role: Literal["user", "assistant"]
    content: str
    speaker: str = ""
    """The name the source gives, or ""."""
    said_at: str | None = None
    """ISO-8601, UTC or with the speaker's own offset."""
    utc_offset: int | None = None
    """Minutes east of UTC where the speaker was, when `said_at` does not tell."""
    caption: str = ""
    """What a photo shared with it shows, where the source keeps that apart from the text."""


class Window(Struct, frozen=True):
    """A stretch of one conversation. Its first `overlap` messages are context: nothing is extracted from them."""

    messages: tuple[Heard, ...]
    overlap: int = 0
    style: Style = "assistant"

    @property
    def new(self) -> tuple[Heard, ...]:
        """The messages records may come from."""
        return self.messages[self.overlap :]


class Record(Struct, frozen=True):
    """One claim that stands by itself.

    `time_start` and `time_end` (both included, at the precision said: `2023-05-08`, `2023-05`, `2023`) say when it
    happened, holds or is planned, `said_at` when it was said; the two are never mixed. What holds since a day has no
    end, what holds until one no start.
    """

    content: str
    type: RecordType
    ply: int
    """The message it rests on."""
    start: int
    end: int
    """The span of that message's content it was made from."""
    speaker: str = ""
    said_at: str | None = None
    time_start: str | None = None
    time_end: str | None = None
    location: str = ""
    reason: str = ""
    purpose: str = ""
    keywords: tuple[str, ...] = ()
    confidence: float = 1.0
    """How likely a careful reader would keep it, 0 to 1."""


class RecordView(Struct, frozen=True):
    """A stored record as searches, `records` and `show` give it."""

    id: int
    content: str
    type: RecordType
    time_start: str | None
    """When it happened or holds, as precise as it was said; both ends included, None where open or unknown."""
    time_end: str | None
    location: str
    reason: str
    purpose: str
    keywords: tuple[str, ...]
    speaker: str
    said_at: str | None
    """When it was said."""
    message_id: int
    """The first message it rests on."""
    exchange_id: int
    state: RecordState
    confidence: float
    engine: RecordEngine
    valid_from: str | None = None
    """Since when it was believed, UTC; None where nobody says, or where it was never compared with others."""
    valid_to: str | None = None
    """Until when, excluded; None while it holds."""
    closed_by: int | None = None
    """The record that took its place, that ended it or that it was merged into."""
    closed_how: ClosedHow | None = None
