"""What memlite tells about its own work: imports, distilling, the state of a store."""

from typing import Literal

from msgspec import Struct, field

from memlite.types.palace import Engine, FileTouched, Room
from memlite.types.query import ConversationRef, ObjectView
from memlite.types.records import RecordView
from memlite.types.update import UpdateReport


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


Outcomes = dict[str, dict[str, int]]
"""Field of an object -> what became of what a model proposed for it (`improved`, `same`, or why not) -> how often."""


class UpgradeReport(Struct, frozen=True):
    """What a run of a model did to objects; `tried` equals improved and kept together."""

    model: str
    tried: int = 0
    improved: int = 0
    """Objects of which at least one field got better."""
    kept: int = 0
    """Objects that stay as they were."""
    failed: dict[str, int] = {}
    """Exchanges that the model came to no answer on, by reason; a later run tries them again, a few times."""
    pending: int = 0
    """Objects of the run's scope that still wait for this model."""
    fields: Outcomes = {}
    seconds_each: float = 0.0
    """That the model took, on average, for an exchange it tried."""


class DistillReport(Struct, frozen=True):
    """What a run of distilling, extracting and embedding did."""

    distilled: int = 0
    embedded: int = 0
    """Exchanges that got vectors, of their objects or of what was said; those of records are counted apart."""
    skipped: dict[str, int] = {}
    failed: int = 0
    pending: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    windows: int = 0
    """Windows of talk that were read for records, those failed included."""
    windows_failed: dict[str, int] = {}
    """By reason; what is in them waits for another run. A window of which nothing came has not failed."""
    records: int = 0
    records_refused: dict[str, int] = {}
    """Records that did not hold against their window, by reason."""
    records_embedded: int = 0
    seconds: float = 0.0
    upgrades: UpgradeReport | None = None
    """What the model did, where one was asked."""
    updated: UpdateReport | None = None
    """What became of new records held against the others, where there were any."""
    schema_version: int = 1


class ObjectsReport(Struct, frozen=True):
    """What came of every line of a file of objects: `lines_in` equals improved, all kept and all refused together."""

    lines_in: int = 0
    improved: int = 0
    kept: dict[str, int] = {}
    """By what became of the first field that is not `same`: `exchange_core: ...`; `same` where all are."""
    refused: dict[str, int] = {}
    fields: Outcomes = {}
    issues: tuple[Issue, ...] = ()
    """One for each line refused."""
    schema_version: int = 1


class SingleObject(Struct, frozen=True):
    """The object of a conversation that no store holds."""

    exchange_core: str
    """Empty where nothing but filler was said."""
    specific_context: str
    rooms: tuple[Room, ...]
    files: tuple[FileTouched, ...]
    engine: Engine
    vocab_survival: float
    outcomes: dict[str, str] = {}
    """What became of each field a model proposed, where one was asked."""
    schema_version: int = 1


class TaskCounts(Struct, frozen=True):
    """Exchanges with work that `memlite distill` finds waiting, that failed or was decided against, each counted once.
    What a model may make better is no such work: an object is there.
    """

    pending: int = 0
    failed: int = 0
    skipped: dict[str, int] = {}


class Accounts(Struct, frozen=True):
    """What became of every exchange: `total` equals distilled, all skipped, all failed and pending together."""

    total: int
    distilled: int
    """Those with an object, whether or not it waits for a vector or a better one."""
    skipped: dict[str, int] = {}
    failed: dict[str, int] = {}
    pending: int = 0


class Reading(Struct, frozen=True):
    """How far exchanges have been read for records: `total` equals read, automated, all failed and pending together."""

    total: int
    read: int
    """Those read to their end, whether or not they state anything."""
    automated: int = 0
    failed: dict[str, int] = {}
    pending: int = 0
    models_read: int = 0
    """Those that a model has read too, whether or not it added anything."""
    models_failed: dict[str, int] = {}
    """Those that it could not read, by reason; a later run tries them again, a few times."""
    models_pending: int = 0


class UpgradeCounts(Struct, frozen=True):
    """What models did to the objects of a store, and what they have been asked and not yet done."""

    tried: int
    """Objects that a model has been at."""
    improved: int
    """Those of them of which it made a field better."""
    pending: int = 0
    failed: dict[str, int] = {}


class Tokens(Struct, frozen=True):
    """What the distilled exchanges cost in tokens, before and after. `tokenizer` names how they were counted."""

    exchanges: int
    before: int
    after: int
    ratio: float
    """How many times fewer tokens the objects have than their exchanges; 0 when there are none."""
    vocab_survival: float
    """Of the 15 rarest words of an exchange, the share its object keeps; the mean over exchanges."""
    asked_survival: float
    """Of the content words of what was asked, the share its object keeps; the mean over objects made since that is
    measured."""
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
    """By state."""
    record_types: dict[str, int]
    """The active ones by type."""
    tasks: TaskCounts
    accounts: Accounts
    reading: Reading
    upgrades: UpgradeCounts
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


class Pointer(Struct, frozen=True):
    """Where a part of an object stands word for word: characters `start` to `end` of a message's content."""

    field: Literal["exchange_core", "specific_context"]
    message_id: int
    start: int
    end: int


class ExchangeView(Struct, frozen=True):
    """An exchange, verbatim, with what memlite made of it."""

    exchange_id: int
    conversation: ConversationRef
    plies: tuple[int, int]
    said_at: str | None
    messages: tuple[MessageView, ...]
    object: ObjectView | None
    records: tuple[RecordView, ...] = ()
    resume: str = ""
    """The command that takes up the conversation again in the application it came from, or ""."""
    external_ids: tuple[str, ...] = ()
    evidence: tuple[Pointer, ...] = ()
    """Where the object's words stand."""
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


class RecordList(Struct, frozen=True):
    """Records that pass some filters."""

    records: tuple[RecordView, ...]
    schema_version: int = 1


class BackupReport(Struct, frozen=True):
    """A copy of a store that was read through and holds what it should."""

    path: str
    size_bytes: int
    conversations: int
    messages: int
    exchanges: int
    safety_copy: str | None = None
    """Where a restore left what was there before."""
    schema_version: int = 1
