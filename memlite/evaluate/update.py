"""How often the rules of update decide as a person did, on pairs of records that a person labelled.

Rules alone are measured, without vectors: what they cannot tell is kept. Precision and recall are given for each
decision with the counts they are made of, since a share of a few pairs says little.
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from memlite.errors import UsageError
from memlite.types.records import Record, RecordType
from memlite.update import decide

Label = Literal["merge", "supersede", "retract", "keep"]
LABELS: tuple[Label, ...] = ("merge", "supersede", "retract", "keep")


class Side(Struct, frozen=True):
    """What a labelled pair tells of one of its records."""

    content: str
    type: RecordType
    keywords: tuple[str, ...] = ()
    speaker: str = ""
    said_at: str | None = None
    time_start: str | None = None
    time_end: str | None = None


class Pair(Struct, frozen=True):
    """An earlier and a later record, and what a person says becomes of them."""

    old: Side
    new: Side
    gold: Label
    reason: str
    domain: str
    talk: Literal["everyday", "coding"]
    language: str
    trap: bool
    """Whether the two look alike but must be kept apart."""


class Score(Struct, frozen=True):
    """How one decision fared. A share of nothing is None."""

    label: Label
    gold: int
    """Pairs a person decided so."""
    decided: int
    """Pairs the rules decided so."""
    right: int
    """Pairs both decided so."""
    precision: float | None
    recall: float | None


class Miss(Struct, frozen=True):
    """A pair that was decided otherwise than by the person."""

    old: str
    new: str
    gold: Label
    decided: Label
    reason: str
    """Why the rules decided as they did."""


class UpdateScores(Struct, frozen=True):
    """What the rules are worth on a file of labelled pairs."""

    pairs: int
    right: int
    traps: int
    traps_kept: int
    scores: tuple[Score, ...]
    confusion: dict[str, dict[str, int]]
    """What the person decided -> what the rules decided -> pairs."""
    misses: tuple[Miss, ...]
    schema_version: int = 1


def read_pairs(path: Path) -> list[Pair]:
    """Read labelled pairs, one JSON object a line.

    :raises UsageError: the file cannot be read, is empty, or a line is no pair
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}). Name a file of labelled pairs") from error
    found = [_pair(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise UsageError(f"{path} has no pair. Write one JSON object a line")
    return found


def _pair(path: Path, number: int, line: bytes) -> Pair:
    try:
        return msgspec.json.decode(line, type=Pair)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}, line {number}, is no labelled pair ({error}). Correct the line") from error


def measure(pairs: Iterable[Pair]) -> UpdateScores:
    """Decide every pair by rules alone, and hold the decisions against the labels."""
    table: Counter[tuple[Label, Label]] = Counter()
    misses: list[Miss] = []
    traps: list[bool] = []
    for pair in pairs:
        label, reason = _decided(pair)
        table[pair.gold, label] += 1
        if pair.trap:
            traps.append(label == "keep")
        if label != pair.gold:
            misses.append(Miss(pair.old.content, pair.new.content, pair.gold, label, reason))
    return UpdateScores(
        pairs=table.total(),
        right=table.total() - len(misses),
        traps=len(traps),
        traps_kept=sum(traps),
        scores=tuple(_score(label, table) for label in LABELS),
        confusion={gold: {label: table[gold, label] for label in LABELS} for gold in LABELS},
        misses=tuple(misses),
    )


def _decided(pair: Pair) -> tuple[Label, str]:
    decision = decide(_record(pair.old, 0), _record(pair.new, 1))
    return msgspec.convert(decision.__struct_config__.tag, type=Label), decision.reason


def _record(side: Side, ply: int) -> Record:
    return Record(ply=ply, start=0, end=len(side.content), **msgspec.structs.asdict(side))


def _score(label: Label, table: Counter[tuple[Label, Label]]) -> Score:
    right = table[label, label]
    gold = sum(table[label, other] for other in LABELS)
    decided = sum(table[other, label] for other in LABELS)
    return Score(label, gold, decided, right, _share(right, decided), _share(right, gold))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
