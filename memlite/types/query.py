"""A question, how it is to be answered, and the answer."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from memlite.types.palace import Engine, FileTouched, Room
from memlite.types.records import RecordType, RecordView
from memlite.types.times import Relation

Layer = Literal["verbatim", "distilled", "tools", "records"]
Sort = Literal["relevance", "newest", "oldest"]
Recall = Literal["auto", "off", "always"]
"""When a hit carries what the assistant said: when the question asks for it, never, or always."""
AnswerDim = Literal["content", "time", "location", "reason", "purpose", "person", "number"]


class Filters(Struct, frozen=True):
    """What narrows the candidates of every route before anything is ranked. An empty string is no filter."""

    project: str = ""
    source: str = ""
    conversation: str = ""
    """The source's own id of a conversation."""
    since: str = ""
    """UTC instant, included."""
    until: str = ""
    """UTC instant, excluded."""
    file: str = ""
    """A path an exchange touches, or the end of one from a slash on."""
    room: str = ""
    """The key of a room, in any spelling."""
    speaker: str = ""
    type: str = ""
    """The type of a record the exchange has; of the records themselves only such ones are looked at."""
    min_messages: int = 0
    """What a conversation must hold at least, in plies."""
    include_automated: bool = False
    as_of: str = ""
    """UTC instant: what held then stands first, instead of what holds now. It leaves nothing out."""


class TimeConstraint(Struct, frozen=True):
    """A time the question gives for what it seeks: days, both included, "" on a side that is open.

    What happened then overlaps these days; `before` and `after` have left out the unit that was named.
    """

    text: str
    """The words of the question."""
    relation: Relation = "at"
    first: str = ""
    last: str = ""


class Analysis(Struct, frozen=True):
    """What a question asks of dimensional records. An empty field is no constraint."""

    statement: str = ""
    """The question as a record would put it: without lead-in, `I` is the user and `you` the assistant."""
    asked_at: str = ""
    """The day against which relative times were read, "" where none was known."""
    types: tuple[RecordType, ...] = ()
    times: tuple[TimeConstraint, ...] = ()
    open_times: tuple[str, ...] = ()
    """Times that constrain nothing, since when the question was asked is not known."""
    locations: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    """Names, identifiers and words that say something, in their order; a name of several words is one of them."""
    stems: tuple[str, ...] = ()
    """The words of the keywords, folded, an English plural as its singular."""
    answer_dim: AnswerDim = "content"
    """What is being asked: `when did ...?` seeks a time and gives none."""
    needs_assistant: bool = False
    """Whether the answer is something the assistant said."""
    assistant_reason: str = ""
    """What in the question tells so."""


class Query(Struct, frozen=True):
    """What a question asks for, as memlite understood it."""

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: Filters = Filters()
    month: str = ""
    """The month the question names (`2026-05`, or `--05` of any year); it lifts what was said in it."""
    analysis: Analysis = Analysis()


class RouteReport(Struct, frozen=True):
    """Whether a route ran, how many candidates it gave, and why not if it did not."""

    name: str
    layer: Layer
    ran: bool
    candidates: int = 0
    why: str = ""


class Coverage(Struct, frozen=True):
    """How much of the store each layer covers."""

    exchanges: int
    distilled: int
    embedded: int
    waiting: int
    """Exchanges that still wait to be distilled or embedded."""


class TraceStep(Struct, frozen=True):
    """What one route contributed to a hit; the contributions of a hit add up to its score."""

    route: str
    rank: int
    score: float
    contribution: float


class Standing(Struct, frozen=True):
    """Where an exchange stands in its conversation, and when it was said."""

    conversation_id: int
    ply_start: int
    ply_end: int
    chars: int
    said_from: str | None

    @property
    def sitting(self) -> tuple[int, str]:
        """What is said in one conversation on one day."""
        return self.conversation_id, (self.said_from or "")[:10]


class ConversationRef(Struct, frozen=True):
    """Which conversation a hit belongs to."""

    source: str
    external_id: str
    project: str
    title: str

    @property
    def name(self) -> str:
        """What to call it: its title, or the source's id where it has none."""
        return self.title or self.external_id


class ObjectView(Struct, frozen=True):
    """A palace object as searches and `show` give it."""

    exchange_core: str
    specific_context: str
    rooms: tuple[Room, ...]
    files: tuple[FileTouched, ...]
    engine: Engine

    @property
    def detail(self) -> str:
        """The exact detail, where the core does not hold it already."""
        return "" if self.specific_context in self.exchange_core else self.specific_context


class MatchedRecord(RecordView, frozen=True):
    """A record that a search found."""

    matched: dict[str, float] = {}
    """What it matched: the score on each route that found it, and how far it agrees in each dimension asked for."""


class Hit(Struct, frozen=True):
    """One exchange found."""

    exchange_id: int
    conversation_id: int
    conversation: ConversationRef
    plies: tuple[int, int]
    message_ids: tuple[int, ...]
    """The messages of the exchange, best match first."""
    said_at: str | None
    score: float
    snippet: str
    text: str
    object: ObjectView | None
    records: tuple[MatchedRecord, ...] = ()
    """The records that lead to it, best match first."""
    assistant: str = ""
    """What the assistant said, where the question asks for that."""
    trace: tuple[TraceStep, ...] = ()
    external_ids: tuple[str, ...] = ()


class Results(Struct, frozen=True):
    """The answer to a search; iterating gives its hits."""

    query: Query
    plan: str
    routes: tuple[RouteReport, ...]
    coverage: Coverage
    hits: tuple[Hit, ...]
    schema_version: int = 1

    def __iter__(self) -> Iterator[Hit]:
        """Iterate over the hits, best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Return the number of hits."""
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        """Return the hit at a 0-based rank."""
        return self.hits[index]
