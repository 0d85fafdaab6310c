"""The gate between a model's records and the store: each must be borne out by the message it names.

The content may use the words of that message, the names of who speaks and to whom, and the times that the message names
in whatever form; a time of its own is refused. Dates are the rules' business: a model says which of the message's times
it means, and what interval that is, is read off the message. A dimension that was not said is left out, and counted.
"""

from collections import Counter
from functools import cached_property
from typing import Any, get_args

from msgspec import Struct

from memlite.extract import foreign
from memlite.extract.dates import absolute, interval, said, times_of
from memlite.extract.keywords import MOST, keywords
from memlite.extract.names import language_of, voice_of
from memlite.extract.voice import third_person
from memlite.extract.wording import finished
from memlite.grounding.alignment import Source
from memlite.grounding.form import NOTHING, form_fault, length_fault, prompt_fault, sentence_fault
from memlite.grounding.said import Said, said_in
from memlite.grounding.wording import label_fault
from memlite.text.phrases import shows_secret
from memlite.text.words import rarity, words
from memlite.types.palace import Exchange, Turn
from memlite.types.records import Heard, Record, RecordType, Window
from memlite.types.times import TimeMention

CONTENT, DIMENSION = (10, 300), (2, 80)
"""Characters of each."""
CONFIDENCE = 0.3
"""Of a model's record: not measured, since no model at hand writes any that pass; it says less than the rules' own."""
DIMENSIONS = ("location", "reason", "purpose")


class Written(Struct, frozen=True):
    """A record as a model writes it."""

    ply: int
    type: str
    content: str
    time: str = ""
    location: str = ""
    reason: str = ""
    purpose: str = ""
    keywords: tuple[str, ...] = ()


class Message:
    """A message, laid out for records to be held against it."""

    def __init__(self, heard: Heard, window: Window, lang: str) -> None:
        self.heard = heard
        self.lang = lang
        self.voice = voice_of(heard, window, lang)

    @cached_property
    def times(self) -> list[TimeMention]:
        """The times it names whose day, month or year is known."""
        return [time for time in self.find(self.heard.content) if len(time.label) >= 4 and time.label[0] != "-"]

    @cached_property
    def said(self) -> Said:
        """Its words, and the names of who speaks and to whom."""
        spoken = Turn(self.heard.role, self.heard.content, self.voice.me)
        return said_in(Exchange((spoken, Turn("user", "", self.voice.you))))

    @cached_property
    def source(self) -> Source:
        """Its words and where they stand."""
        return Source([self.heard.content])

    def meant(self, time: str) -> list[TimeMention]:
        """Return those of its times that somebody means who writes this."""
        folded = time.casefold().strip()
        return [one for one in self.times if folded in (one.label, one.text.casefold())]

    def names(self, mention: TimeMention) -> bool:
        """Say whether it names this time, alone or as an end of a longer one, as precisely or more so."""
        size = max(len(mention.start), len(mention.end))
        for time in self.times:
            ends = (time.start[:size], time.end[:size])
            if (mention.start, mention.end) in (ends, ends[:1] * 2, ends[1:] * 2):
                return True
        return any((mention.start, mention.text) == (time.start, time.text) for time in self.find(self.heard.content))

    def find(self, text: str) -> list[TimeMention]:
        """Return the times that a text names which was written when this was said."""
        return times_of([text], said(self.heard), self.lang)[0]


class Gate:
    """The messages of a window that records may come from; `refused` counts what was not let through, by reason."""

    def __init__(self, window: Window, forbidden: frozenset[str] = NOTHING) -> None:
        self.lang = language_of(window.messages)
        self.messages = {heard.ply: Message(heard, window, self.lang) for heard in window.new}
        self.refused = Counter[str]()
        self._forbidden = forbidden

    def admit(self, written: Written) -> Record | None:
        """Return the record as it is to be stored, with the dimensions that were said; None when it is refused."""
        message = self.messages.get(written.ply)
        content = " ".join(written.content.split())
        fault = self._fault(content, written.type, message) if message else "not from the new part of its window"
        if fault or message is None:
            self.refused[fault] += 1
            return None
        return self._record(written, content, message)

    def _fault(self, content: str, type: str, message: Message) -> str:
        """Say why there can be no such record of a message."""
        if type not in get_args(RecordType):
            return "no such type"
        mentions = message.find(content)
        if not all(map(message.names, mentions)):
            return "time not said"
        bare = _without(content, mentions)
        return (
            length_fault(content, *CONTENT)
            or sentence_fault(bare, message.said, 1, CONTENT[1], self._forbidden)
            or ("" if message.source.places(bare) else "rests on no words")
        )

    def _record(self, written: Written, content: str, message: Message) -> Record:
        mentions = message.find(content)
        places = message.source.places(_without(content, mentions))
        time_start, time_end = interval(self._times(written.time, message) or mentions)
        told = finished(_told(absolute(content, mentions, self.lang), message))
        given: dict[str, Any] = {"type": written.type}
        given |= {name: self._dimension(name, getattr(written, name), message) for name in DIMENSIONS}
        return Record(
            content=told,
            ply=written.ply,
            start=min(start for _, start, _ in places),
            end=max(end for _, _, end in places),
            speaker=message.heard.speaker,
            said_at=message.heard.said_at,
            time_start=time_start,
            time_end=time_end,
            keywords=self._keywords(written, told, message),
            confidence=CONFIDENCE,
            **given,
        )

    def _times(self, time: str, message: Message) -> list[TimeMention]:
        """The times a model points at."""
        found = message.meant(time)
        if time.strip() and not found:
            self.refused["time: not said"] += 1
        return found

    def _dimension(self, name: str, value: str, message: Message) -> str:
        """A dimension as it was said, or "" where it was not."""
        value = " ".join(value.split()).strip(" .,;")
        if not value:
            return ""
        fault = (
            length_fault(value, *DIMENSION)
            or form_fault(value, message.said)
            or ("shows a secret" if shows_secret(value) else "")
            or prompt_fault(value, message.said, self._forbidden)
            or label_fault(value, message.said)
            or ("" if any(map(rarity, words(value))) else "says nothing")
        )
        if fault:
            self.refused[f"{name}: {fault}"] += 1
        return "" if fault else value

    def _keywords(self, written: Written, content: str, message: Message) -> tuple[str, ...]:
        """The keywords that are words of the content; those of the rules where there are none."""
        held = _folded(content)
        given = dict.fromkeys(filter(None, (" ".join(word.split()) for word in written.keywords)))
        kept = [word for word in given if words(word) and _folded(word) <= held]
        self.refused["keywords: not in the content"] += len(given) - len(kept)
        lang = self.lang if self.lang in ("en", "de", "fr", "es", "pt") else "en"
        return tuple(kept[:MOST]) or keywords(content, lang, (message.voice.me, message.voice.you))


def _without(content: str, mentions: list[TimeMention]) -> str:
    """A content without the times it names."""
    for mention in reversed(mentions):
        content = content[: mention.start_char] + " " + content[mention.end_char :]
    return " ".join(content.split())


def _told(content: str, message: Message) -> str:
    """A content in which the speaker has a name, as the rules would put it."""
    if message.lang == "en":
        return third_person(content, message.voice)
    return foreign.third_person(content, message.voice.me, message.lang)


def _folded(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in words(text))
