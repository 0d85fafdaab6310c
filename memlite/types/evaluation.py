"""What an evaluation asks, what came of it, and what the figures say."""

from msgspec import Struct

PERFECT = 3
"""The grade of what answers a question; 2 is related, 1 touches it, 0 is beside it."""


class Question(Struct, frozen=True):
    """A question with what answers it."""

    id: str
    text: str
    gold: dict[str, int]
    """Id of a message, as `Place` has it -> how well it answers, 1 to 3."""
    conversations: tuple[str, ...] = ()
    """External ids of the conversations that hold the answer; where given, these are what is sought."""
    category: str = ""
    asked_at: str = ""
    """The day it is asked, an ISO date; "" is the last day its conversations know."""
    answer: str = ""
    unanswerable: bool = False
    """Nothing in the store answers it, and a reader should say so."""


class Case(Struct, frozen=True):
    """One store to make, and what to ask of it."""

    name: str
    transcript: bytes
    """A file as `memlite import` reads it."""
    questions: tuple[Question, ...]


class Dataset(Struct, frozen=True):
    """Stores and their questions."""

    name: str
    digest: str
    """Of every transcript and question: figures with equal digests are of the same data."""
    cases: tuple[Case, ...]
    skipped: dict[str, int] = {}
    """Questions that cannot be asked, by reason."""


class Outcome(Struct, frozen=True):
    """What one plan found for one question."""

    case: str
    question: str
    category: str
    plan: str
    grades: tuple[int, ...]
    """The best grade in each exchange found (each conversation, where those are sought), best first."""
    found: tuple[int, ...]
    """How many of the gold messages of the best grade lie in each."""
    gold: int
    """How many gold messages of the best grade there are."""
    ideal: tuple[int, ...]
    """The grades of all exchanges (conversations) that are judged, best first: what a perfect ranking would give."""
    milliseconds: float = 0.0
    """What the plan takes alone."""
    tokens: int = 0
    """Estimated tokens of the distilled text of what was found, the first ten."""


class Estimate(Struct, frozen=True):
    """A mean with its 95 % interval, from resampling the questions."""

    mean: float
    low: float
    high: float


class Place(Struct, frozen=True):
    """What an exchange holds, as far as an evaluation must know."""

    ids: tuple[str, ...]
    """Of its messages: the source's own, or `#12`, the store's, where the source has none."""
    conversation: str
    """The source's own id."""
    tokens: int
    """Estimated, of its distilled text."""


class RunRecord(Struct, frozen=True):
    """What a run must tell, so that its figures can be made again."""

    dataset: str
    data_digest: str
    embedder: str
    """Digest of the embedding model."""
    version: str
    commit: str
    """Of the checkout that ran, "" outside one; `+` at its end tells of changes that were not committed."""
    machine: str
    started_at: str
    settings: dict[str, str] = {}
    skipped: dict[str, int] = {}
    """Questions that were not asked, by reason."""


class Line(Struct, frozen=True):
    """What one plan is worth, on all questions or on those of a category."""

    plan: str
    category: str
    """"" is all."""
    questions: int
    answered: int
    """Questions with an answer among the first ten: the coverage."""
    tokens: float
    """Estimated tokens of the distilled text of ten hits, mean."""
    ms_p50: float
    ms_p95: float
    metrics: dict[str, Estimate]


class EvalReport(Struct, frozen=True):
    """What a run found."""

    run: RunRecord
    oracle: float
    """MRR if each question were answered by the best of the plans for it."""
    lines: tuple[Line, ...]
    schema_version: int = 1
