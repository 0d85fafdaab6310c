"""What is to be forgotten, and what forgetting did."""

from msgspec import Struct


class Selection(Struct, frozen=True):
    """What to forget: everything that all of the given say. An empty field says nothing."""

    conversation: str = ""
    """The source's own id."""
    exchange: int | None = None
    project: str = ""
    """Its name, or its working directory."""
    source: str = ""
    """A format such as `claude-code`, or the path of a file that was imported."""
    since: str = ""
    """UTC instant, included, of when it was said; what was said nobody knows when is in no span of time."""
    until: str = ""
    """UTC instant, excluded."""
    speaker: str = ""
    match: str = ""
    """A MATCH expression: exchanges that hold it in what was said, or in their tool calls."""


class ForgetReport(Struct, frozen=True):
    """What was forgotten, or would be. Every count but `remade` is of rows that are gone."""

    dry_run: bool
    conversations: int = 0
    messages: int = 0
    exchanges: int = 0
    objects: int = 0
    records: int = 0
    vectors: int = 0
    tool_uses: int = 0
    rooms: int = 0
    """Rooms that hold nothing any more."""
    remade: int = 0
    """Exchanges of which a part stays. They are made anew from it, and wait to be distilled."""
    exchange_ids: tuple[int, ...] = ()
    """Of the exchanges that are gone."""
    record_ids: tuple[int, ...] = ()
    log_held: bool = False
    """Another process reads an older state: until it ends, the bytes stay in the write-ahead log."""
    schema_version: int = 1
