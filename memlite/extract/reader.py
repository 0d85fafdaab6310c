"""Reads a window message by message and gives, sentence by sentence, the candidates for claims."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from memlite.extract import foreign
from memlite.extract.claims import LONGEST, Piece, cause, joined, pieces, unbound
from memlite.extract.dates import absolute, said, times_of
from memlite.extract.judge import Candidate
from memlite.extract.names import language_of, voice_of
from memlite.extract.people import People
from memlite.extract.signs import WEIGHTY, Setting, Told, Wording, signs, stands_alone, told
from memlite.extract.voice import Voice, lead, third_person
from memlite.extract.wording import advice, finished, is_hollow, is_order, mended, owned, plain, ruled
from memlite.text.slug import stem
from memlite.text.talk import names
from memlite.text.words import is_identifier, rarity, words
from memlite.types.records import Heard, Window
from memlite.types.times import TimeMention

_NOBODY = frozenset[str]()
_CODING = 0.04
"""Identifiers per word from which on a window is about code."""


class Rewritten(Struct, frozen=True):
    """A piece as it reads in a record, with the times it names."""

    piece: Piece
    text: str
    opening: str
    """How it reads where a record begins with it: `she` has become a name."""
    times: list[TimeMention]
    told: Told

    @property
    def untimed(self) -> str:
        """What was said, without the times."""
        text = self.piece.text
        for time in reversed(self.times):
            text = text[: time.start_char] + " " + text[time.end_char :]
        return text


class Sentence(Struct, frozen=True):
    """A sentence: its pieces, rewritten, and the candidates made of them."""

    message: Heard
    voice: Voice
    parts: list[Rewritten]
    candidates: list[Candidate]

    def times(self, candidate: Candidate) -> list[TimeMention]:
        """The times a candidate names."""
        return [time for part in self.parts[candidate.first : candidate.last + 1] for time in part.times]

    def cause(self, candidate: Candidate) -> str:
        """The cause that a neighbouring piece gives for a candidate, in its own words."""
        after = candidate.last + 1
        if after < len(self.parts) and self.parts[after].piece.causal:
            return cause(self.parts[after].piece.text)
        if candidate.first and self.parts[candidate.first].piece.following:
            return self.parts[candidate.first - 1].piece.text.strip(" ,;.")
        return ""

    def span(self, candidate: Candidate) -> tuple[int, int]:
        """Where in its message a candidate stands."""
        return self.parts[candidate.first].piece.start, self.parts[candidate.last].piece.end


class Reader:
    """One window, read in order: who `he` is depends on what came before."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.lang = language_of(window.messages)
        self.people = People()
        spoken = [word for message in window.messages for word in words(message.content[:2000])]
        self._coding = window.style == "assistant" and sum(map(is_identifier, spoken)) > _CODING * len(spoken)
        self._said: dict[str, set[str]] = {}
        self._called = names({message.speaker for message in window.messages}) if window.style == "peers" else ()

    def sentences(self) -> Iterator[Sentence]:
        """Yield the sentences of the new messages, with candidates; the context is only listened to."""
        for number, message in enumerate(self.window.messages):
            voice = voice_of(message, self.window, self.lang)
            found = list(pieces(message, self._called))
            self.people.turn()
            for place, sentence in enumerate(found):
                if number >= self.window.overlap:
                    yield self._sentence(sentence, message, voice, (place, len(found)))
                else:
                    self._listen(sentence, voice)
            for word in words(message.content[:4000]):
                if rarity(word) > WEIGHTY:
                    self._said.setdefault(stem(word), set()).add(voice.me)

    def _sentence(self, found: list[Piece], message: Heard, voice: Voice, place: tuple[int, int]) -> Sentence:
        times = times_of([piece.text for piece in found], said(message), self.lang)
        parts = [self._rewritten(piece, named, voice) for piece, named in zip(found, times, strict=True)]
        who = "peer" if self.window.style == "peers" else "user" if message.role == "user" else "answer"
        setting = Setting(who, self._coding, self.lang, voice.me, *place)
        candidates = [
            self._candidate(parts, first, last, voice, setting)
            for first in range(len(parts))
            for last in range(first, min(first + LONGEST, len(parts)))
        ]
        return Sentence(message, voice, parts, [one for one in candidates if one.content])

    def _rewritten(self, piece: Piece, times: list[TimeMention], voice: Voice) -> Rewritten:
        text = absolute(piece.text, times, self.lang)
        opening = text
        if self.lang == "en":
            opening = third_person(self.people.resolved(unbound(text)), voice)
            text = third_person(text, voice)
        else:
            opening = text = foreign.third_person(text, voice.me, self.lang)
        self._listen([piece], voice)
        return Rewritten(piece, text, opening, times, told(text, self.lang))

    def _listen(self, found: Sequence[Piece], voice: Voice) -> None:
        for piece in found:
            self.people.hear(piece.text, voice.me)

    def _candidate(
        self, parts: Sequence[Rewritten], first: int, last: int, voice: Voice, setting: Setting
    ) -> Candidate:
        run = parts[first : last + 1]
        if any([part.piece.asked or part.piece.supposed for part in run]) or _is_two(run, voice):
            return Candidate(first, last, "", ())
        text = joined([run[0].opening, *(part.text for part in run[1:])])
        if not words(text):
            return Candidate(first, last, "", ())
        led = advised = False
        if self.lang == "en":
            if setting.who == "answer":
                given = advice(text, voice)
                advised, text = given != text, given
            else:
                text = owned(ruled(text, voice), voice)
                if setting.who == "user" and is_order(text):
                    return Candidate(first, last, "", ())
            if not advised:
                given = lead(text, voice)
                led, text = given != text, given
            text = plain(text)
        content = finished(mended(text))
        if self.lang == "en" and is_hollow(" ".join(part.untimed for part in run)):
            return Candidate(first, last, "", ())
        ends = last == len(parts) - 1
        flags = {
            "led": led,
            "advised": advised,
            "whole": len(run) == len(parts),
            "causal": run[0].piece.causal,
            "followed": not ends and parts[last + 1].piece.causal,
            "timed": any([part.times for part in run]),
            "cried": run[-1].piece.text.endswith("!"),
        }
        made = frozenset([name for name, present in flags.items() if present])
        run_told = [part.told for part in run]
        wording = Wording(content, run[0].piece.kind, run_told, self._echo(run_told, voice.me), made)
        found = signs(wording, setting)
        return Candidate(first, last, content if stands_alone(found) else "", found)

    def _echo(self, run: Sequence[Told], speaker: str) -> float:
        """The share of the weightier words of a run that others said before in this window."""
        weighty = [word for one in run for word in one.weighty]
        said = sum([bool(self._said.get(word, _NOBODY) - {speaker}) for word in weighty])
        return said / len(weighty) if weighty else 0.0


def _is_two(run: Sequence[Rewritten], voice: Voice) -> bool:
    """Say whether a run makes two statements about the speaker: those are two claims."""
    first = run[0].text.startswith(voice.me)
    return first and any([part.text.startswith(voice.me) and not part.piece.causal for part in run[1:]])
