"""What becomes of two records that may speak of the same thing, and what a run of `update` did."""

from msgspec import Struct


class Merge(Struct, frozen=True, tag="merge"):
    """Both say the same; the later one stands for both, and both keep their sources."""

    reason: str
    keywords: float = 0.0
    """Jaccard of the keywords, 0 to 1."""
    cosine: float | None = None
    """Of the contents' vectors; None where it was not needed."""


class Supersede(Struct, frozen=True, tag="supersede"):
    """The later one gives a new value; the earlier one held until then."""

    reason: str
    keywords: float = 0.0
    cosine: float | None = None


class Retract(Struct, frozen=True, tag="retract"):
    """The later one says that the earlier one holds no longer, and puts nothing in its place."""

    reason: str
    keywords: float = 0.0
    cosine: float | None = None


class KeepBoth(Struct, frozen=True, tag="keep"):
    """Neither touches the other."""

    reason: str
    keywords: float = 0.0
    cosine: float | None = None


Decision = Merge | Supersede | Retract | KeepBoth
"""What becomes of an earlier and a later record. Only rules decide; a model may propose what they allow."""


class UpdateReport(Struct, frozen=True):
    """What a run of `update` did. Of a dry run: what it would do."""

    records: int
    """That were compared with the others."""
    in_store: int
    """Records of the store, all of which an update that embeds everything would embed."""
    pairs: int
    """That shared a keyword, or gave a value to the same thing, and were looked at."""
    by_keywords: int
    """Pairs that passed the gate of keywords, or of what they give a value to."""
    decided_by_words: int
    """Pairs of those that needed no vector."""
    compared: int
    """Pairs whose vectors were compared."""
    embeddings_computed: int
    embeddings_reused: int
    """Vectors that the store had already."""
    embeddings_avoided: int
    """Records that were compared without a vector of theirs: `records - computed - reused`, never below 0."""
    decisions: dict[str, int]
    """Kind -> pairs."""
    superseded: int
    """Records that are active no longer."""
    restored: int
    """Records that are active again."""
    model_calls: int
    seconds: float
    dry_run: bool = False
    schema_version: int = 1


class Step(Struct, frozen=True):
    """One decision about a record, and about which other."""

    kind: str
    old_id: int
    new_id: int
    old: str
    new: str
    reason: str
    keywords: float
    cosine: float | None
    engine: str
    decided_at: str
    reverted_at: str | None


class History(Struct, frozen=True):
    """What became of a record."""

    id: int
    content: str
    state: str
    valid_from: str | None
    valid_to: str | None
    closed_by: int | None
    closed_how: str | None
    sources: tuple[int, ...]
    """The messages that it, and the records merged into it, rest on."""
    steps: tuple[Step, ...]
    schema_version: int = 1
