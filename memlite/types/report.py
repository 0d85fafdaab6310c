"""What memlite tells about its own work: imports, distilling, the state of a store."""

from typing import Any, Literal

from msgspec import Struct, field

from memlite.types.query import ConversationRef, ObjectView


class Issue(Struct, frozen=True):
    """A record that was not stored and that the user should look at."""

    path: str
    line: int
    reason: str


class ImportReport(Struct, frozen=True):
    """What came of every record: `records_in` equals stored, duplicate and all skipped together."""

    records_in: int = 0
    stored: int = 0
    duplicate: int = 0
    skipped: dict[str, int] = {}
    conversations: int = 0
    """New conversations."""
    exchanges: int = 0
    """New exchanges."""
    issues: tuple[Issue, ...] = ()
    dropped: dict[str, int] = {}
    """Parts of stored records that memlite cannot keep, such as images, by kind."""
    message_ids: tuple[int, ...] = ()
    """Ids of the messages stored by `add`, in order; empty for files."""
    exchange_ids: tuple[int, ...] = ()
    """Ids of the exchanges that `add` made or let grow; empty for files."""
    schema_version: int = 1


class DistillReport(Struct, frozen=True):
    """What a run of distilling and embedding did."""

    distilled: int = 0
    embedded: int = 0
    skipped: dict[str, int] = {}
    failed: int = 0
    pending: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    seconds: float = 0.0
    schema_version: int = 1


class TaskCounts(Struct, frozen=True):
    """Work that waits, failed or was decided against."""

    pending: int = 0
    failed: int = 0
    skipped: dict[str, int] = {}


class Tokens(Struct, frozen=True):
    """What the distilled exchanges cost in tokens, before and after. `tokenizer` names how they were counted."""

    exchanges: int
    before: int
    after: int
    ratio: float
    """How many times fewer tokens the objects have than their exchanges; 0 when there are none."""
    vocab_survival: float
    """Of the 15 rarest words of an exchange, the share its object keeps; the mean over exchanges."""
    tokenizer: str


class Status(Struct, frozen=True):
    """The state of a store."""

    path: str
    schema: int
    sqlite: str
    vec: str
    size_bytes: int
    conversations: int
    messages: int
    exchanges: int
    automated: int
    objects: dict[str, int]
    records: dict[str, int]
    tasks: TaskCounts
    embedding: dict[str, str | int]
    models: dict[str, str]
    projects: dict[str, int]
    sources: dict[str, int]
    tokens: Tokens
    schema_version: int = 1


class MessageView(Struct, frozen=True):
    """A message as `show` gives it."""

    id: int
    ply: int
    role: Literal["user", "assistant"]
    speaker: str
    said_at: str | None
    content: str
    external_id: str = ""


class ExchangeView(Struct, frozen=True):
    """An exchange, verbatim, with what memlite made of it."""

    exchange_id: int
    conversation: ConversationRef
    plies: tuple[int, int]
    said_at: str | None
    messages: tuple[MessageView, ...]
    object: ObjectView | None
    records: tuple[Any, ...] = ()
    """Dimensional records; empty, since none are extracted yet."""
    resume: str = ""
    """The command that takes up the conversation again in the application it came from, or ""."""
    external_ids: tuple[str, ...] = ()
    schema_version: int = 1


class PackedItem(Struct, frozen=True):
    """One thing in a context pack."""

    kind: str
    id: int
    tokens: int


class Packed(Struct, frozen=True):
    """A context pack: text for a prompt, never over its budget."""

    text: str
    tokens: int
    budget: int
    items: tuple[PackedItem, ...] = field(default=())
    schema_version: int = 1
