"""From candidates to records: the dimensions of each claim, and what the window's end leaves of them."""

import re
from collections.abc import Iterator

from memlite.extract import dimensions
from memlite.extract.claims import photos
from memlite.extract.dates import interval, said
from memlite.extract.judge import Candidate, choose
from memlite.extract.keywords import keywords
from memlite.extract.kinds import signs_of, type_of
from memlite.extract.names import voice_of
from memlite.extract.reader import Reader, Sentence
from memlite.extract.settle import settle
from memlite.extract.weights import THRESHOLD
from memlite.extract.wording import finished
from memlite.types.records import Record, Window

_MEASURED = re.compile(
    r"\d.*(?:->|→|=>)\s*\S*\d|\b(?:passed|failed|skipped|failures?|errors?|violations|tests? (?:ok|green)|req/s"
    r"|rps|p9[59]|was \d)\b"
    r"|\b(?:replay|load test|stress test|soak|bench(?:mark)?|suite|pytest|build|smoke test)\b.*\d",
    re.IGNORECASE,
)
_FINISHED = re.compile(
    r"\b(?:added|fixed|merged|deployed|released|rewritten|moved|removed|deleted|renamed|replaced|corrected"
    r"|installed|updated"
    r"|upgraded|created|opened|pushed|published|committed|migrated|written|finished|restarted|reverted|found)\b",
    re.IGNORECASE,
)
"""Finished work and measured results are of the day they are told on."""
_PHOTO = 0.5
"""Confidence that a shared photo is worth a record."""


def extract(window: Window, threshold: float = THRESHOLD) -> list[Record]:
    """Return what the new part of a window states, in order of its messages.

    :param threshold: confidence under which a claim is left out; a higher one gives fewer and surer records
    """
    reader = Reader(window)
    found = [record for sentence in reader.sentences() for record in _records(sentence, reader, threshold)]
    return settle(sorted([*found, *_photos(window, reader)], key=lambda record: record.ply), window.new)


def _records(sentence: Sentence, reader: Reader, threshold: float) -> Iterator[Record]:
    for candidate, likelihood in choose(sentence.candidates, threshold):
        yield record_of(sentence, candidate, likelihood, reader)


def record_of(sentence: Sentence, candidate: Candidate, likelihood: float, reader: Reader) -> Record:
    """One claim with its dimensions."""
    message, voice, content = sentence.message, sentence.voice, candidate.content
    moment = said(message)
    times = sentence.times(candidate)
    time_start, time_end = interval(times)
    type = type_of(kind_signs(sentence, candidate))
    if time_start is None and time_end is None and type == "episodic" and _is_news(content, candidate) and moment:
        time_start = time_end = moment.date().isoformat()
    reason = sentence.cause(candidate) or dimensions.reason(content)[0]
    people = frozenset(reader.people.names | {voice.me, voice.you})
    start, end = sentence.span(candidate)
    return Record(
        content=content,
        type=type,
        ply=message.ply,
        start=start,
        end=end,
        speaker=message.speaker,
        said_at=message.said_at,
        time_start=time_start,
        time_end=time_end,
        location=dimensions.place(content, people),
        reason=reason.rstrip("."),
        purpose=dimensions.purpose(content),
        keywords=keywords(
            content, reader.lang if reader.lang in ("en", "de", "fr", "es", "pt") else "en", (voice.me, voice.you)
        ),
        confidence=round(likelihood, 3),
    )


def kind_signs(sentence: Sentence, candidate: Candidate) -> tuple[str, ...]:
    """What the type of a claim is told by."""
    who = candidate.signs[1]
    made: set[str] = {"led", "advised"}.intersection(candidate.signs)
    if _is_news(candidate.content, candidate):
        made.add("result")
    return signs_of(candidate.content, who, frozenset(made), sentence.times(candidate))


def _is_news(content: str, candidate: Candidate) -> bool:
    """Say whether a claim tells work that was just finished or a result that was just measured."""
    if "answer" in candidate.signs or "answer code" in candidate.signs:
        return "answer, led" in candidate.signs or _is_result(content)
    return "user code" in candidate.signs and _is_result(content)


def _is_result(content: str) -> bool:
    return _MEASURED.search(content) is not None or _FINISHED.search(content) is not None


def _photos(window: Window, reader: Reader) -> Iterator[Record]:
    """Sharing a photo is an event of the day it was shared on."""
    for message in window.new:
        voice = voice_of(message, window, reader.lang)
        moment = said(message)
        day = moment.date().isoformat() if moment else None
        for caption, start, end in photos(message):
            content = finished(f"{voice.me} shares a photo: {caption}")
            terms = keywords(caption, "en", (voice.me,))
            yield Record(
                content, "episodic", message.ply, start, end, message.speaker, message.said_at, day, day,
                keywords=terms, confidence=_PHOTO,
            )  # fmt: skip
