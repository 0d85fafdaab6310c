"""Questions with known answers: LoCoMo, LongMemEval, and a form of our own for anybody's history.

The own form is a folder with `queries.jsonl` beside one file that `memlite import` reads. A line of it is

    {"id", "query", "type"?, "asked_at"?: "2026-05-01", "answer"?, "unanswerable"?,
     "gold": [{"grade": 1 to 3, "message_ids": [...]}], "conversations"?: [...]}

with the source's own ids of messages and conversations; grade 3 answers, 2 is related, 1 touches it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from memlite.errors import UsageError
from memlite.types.evaluation import PERFECT, Case, Dataset, Question

QUERIES = "queries.jsonl"
LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D(\d+):0*(\d+)")
_ABSTAINED = "_abs"
"""What ends the id of a LongMemEval question that nothing answers."""


class _Grade(Struct):
    grade: Annotated[int, Meta(ge=0, le=PERFECT)]
    message_ids: list[str]


class _Query(Struct):
    """A line of `queries.jsonl`."""

    query: str
    id: str = ""
    type: str = ""
    asked_at: date | None = None
    answer: str | int | float = ""
    unanswerable: bool = False
    gold: list[_Grade] = []
    conversations: list[str] = []


class _LocomoQuestion(Struct):
    question: str
    category: int
    answer: str | int | float = ""
    evidence: list[str] = []


class _Locomo(Struct):
    """A sample of LoCoMo, but for what was said."""

    sample_id: str
    qa: list[_LocomoQuestion]


class _LongMemEval(Struct):
    """A question of LongMemEval, but for what was said."""

    question_id: str
    question: str
    question_date: str
    haystack_session_ids: list[str]
    answer_session_ids: list[str]
    question_type: str = ""
    answer: str | int | float = ""


def load(path: Path) -> Dataset:
    """Read a data set: a LoCoMo or LongMemEval file, or a folder with `queries.jsonl` and one transcript.

    :raises UsageError: it is none of these, or a part of it cannot be read; the message names what and where
    """
    if path.is_dir():
        return _judged(path)
    if not path.is_file():
        raise UsageError(
            f"there is no data set at {path}. Give a LoCoMo or LongMemEval file, or a folder with {QUERIES}"
        )
    try:
        samples = msgspec.json.decode(path.read_bytes())
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} is no JSON ({error}). {_EXPECTED}") from None
    first = samples[0] if isinstance(samples, list) and samples and isinstance(samples[0], dict) else {}
    try:
        if "qa" in first and "conversation" in first:
            return _dataset(path.stem, *_locomo(samples))
        if "haystack_sessions" in first and "question" in first:
            return _dataset(path.stem, *_longmemeval(samples))
    except msgspec.ValidationError as error:
        raise UsageError(f"{path} is not as it was published: {error}") from None
    raise UsageError(f"{path} is of no form that memlite evaluates. {_EXPECTED}")


_EXPECTED = f"Expected LoCoMo or LongMemEval as published, or a folder with {QUERIES} beside one transcript"


def of_questions(name: str, questions: Sequence[Question]) -> Dataset:
    """Return a data set of questions about a store that is there already."""
    return _dataset(name, [Case(name, b"", tuple(questions))], {})


def _dataset(name: str, cases: Iterable[Case], skipped: Mapping[str, int]) -> Dataset:
    listed = tuple(cases)
    digest = blake2b(digest_size=16)
    for case in listed:
        digest.update(msgspec.json.encode(case, order="deterministic"))
    return Dataset(name, digest.hexdigest(), listed, dict(skipped))


def _locomo(samples: Sequence[dict[str, Any]]) -> tuple[list[Case], Counter[str]]:
    skipped = Counter[str]()
    cases = []
    for raw in samples:
        sample = msgspec.convert(raw, _Locomo)
        bare = {key: value for key, value in raw.items() if key != "qa"}
        questions = []
        for number, asked in enumerate(sample.qa):
            gold = {id: PERFECT for text in asked.evidence for id in _evidence(text)}
            category = LOCOMO_CATEGORIES.get(asked.category, "other")
            answerable = category != "adversarial"
            if answerable and not gold:
                skipped["no evidence"] += 1
                continue
            questions.append(
                Question(
                    id=f"{sample.sample_id}-{number}",
                    text=asked.question,
                    gold=gold,
                    category=category,
                    answer=str(asked.answer),
                    unanswerable=not answerable,
                )
            )
        cases.append(Case(sample.sample_id, msgspec.json.encode([bare]), tuple(questions)))
    return cases, skipped


def _evidence(text: str) -> Iterator[str]:
    return (f"D{session}:{turn}" for session, turn in _EVIDENCE.findall(text))


def _longmemeval(samples: Sequence[dict[str, Any]]) -> tuple[list[Case], Counter[str]]:
    """Questions whose haystacks are the same share a store."""
    stores: dict[bytes, tuple[str, bytes, list[Question]]] = {}
    for raw in samples:
        sample = msgspec.convert(raw, _LongMemEval)
        haystack = blake2b(msgspec.json.encode(sample.haystack_session_ids)).digest()
        _, _, questions = stores.setdefault(haystack, (sample.question_id, msgspec.json.encode([raw]), []))
        questions.append(
            Question(
                id=sample.question_id,
                text=sample.question,
                gold={},
                conversations=tuple(sample.answer_session_ids),
                category=sample.question_type,
                asked_at=sample.question_date[:10].replace("/", "-"),
                answer=str(sample.answer),
                unanswerable=sample.question_id.endswith(_ABSTAINED),
            )
        )
    return [Case(name, transcript, tuple(asked)) for name, transcript, asked in stores.values()], Counter()


def _judged(folder: Path) -> Dataset:
    queries = folder / QUERIES
    if not queries.is_file():
        raise UsageError(f"there is no {QUERIES} in {folder}. {_EXPECTED}")
    transcripts = sorted(
        path for path in folder.iterdir() if path.suffix in (".json", ".jsonl") and path.name != QUERIES
    )
    if len(transcripts) != 1:
        raise UsageError(f"{folder} holds {len(transcripts)} transcripts beside {QUERIES}, not one: put it apart")
    skipped = Counter[str]()
    questions = []
    for number, line in enumerate(queries.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            asked = msgspec.json.decode(line, type=_Query)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise UsageError(f"{queries}, line {number}: {error}. The form is in memlite eval --help") from None
        gold: dict[str, int] = {}
        for entry in sorted(asked.gold, key=lambda entry: entry.grade):
            gold |= dict.fromkeys(entry.message_ids, entry.grade)
        if not asked.unanswerable and not asked.conversations and PERFECT not in gold.values():
            skipped[f"no gold of grade {PERFECT}"] += 1
            continue
        questions.append(
            Question(
                id=asked.id or str(number),
                text=asked.query,
                gold=gold,
                conversations=tuple(asked.conversations),
                category=asked.type,
                asked_at=asked.asked_at.isoformat() if asked.asked_at else "",
                answer=str(asked.answer),
                unanswerable=asked.unanswerable,
            )
        )
    return _dataset(folder.name, [Case(folder.name, transcripts[0].read_bytes(), tuple(questions))], skipped)
