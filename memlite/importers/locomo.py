"""LoCoMo: a list of samples, each a long conversation of two people in dated sessions.

A sample is one conversation. What a person shares as a photo was said too, so its caption stands in the text.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from memlite.importers.documents import convert, elements, name_of
from memlite.importers.source import Item, Occurrences, Source
from memlite.text import clock
from memlite.types.transcript import Conversation, DroppedBlock, Entry, Message, Skip

SOURCE = "locomo"

PHOTO = "[shares a photo: {caption}]"

_SESSION = "session_"


class _Turn(Struct, gc=False):
    speaker: str
    text: str = ""
    dia_id: str = ""
    blip_caption: str | None = None
    img_url: Any = None


class _Sample(Struct, gc=False):
    conversation: dict[str, Any]
    sample_id: Any = None


def read(source: Source) -> Iterator[Item]:
    """Read the samples one by one; a turn is a record, and they are numbered through the file."""
    count = 0
    for element in elements(source.stream, "item"):
        sample = element if isinstance(element, Skip) else convert(element[1], _Sample, count + 1)
        if isinstance(sample, Skip):
            count += 1
            yield sample
            continue
        name = name_of(sample.sample_id) or f"{source.name}:{count + 1}"
        reader = _Reader(name, sample.conversation)
        for session, turns in _sessions(sample.conversation):
            for turn in turns:
                count += 1
                yield from reader.items(turn, session, count)


def _sessions(conversation: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """Return the sessions by number: as texts, `session_10` would come before `session_2`."""
    numbered = [
        (int(number), key, turns)
        for key, turns in conversation.items()
        if (number := key.removeprefix(_SESSION)).isdecimal() and key.startswith(_SESSION) and isinstance(turns, list)
    ]
    return [(key, turns) for _, key, turns in sorted(numbered, key=lambda session: session[0])]


class _Reader:
    """The turns of one sample."""

    def __init__(self, name: str, conversation: dict[str, Any]) -> None:
        speakers = (name_of(conversation.get(key)) for key in ("speaker_a", "speaker_b"))
        self._conversation = Conversation(name, " and ".join(filter(None, speakers)), style="peers")
        self._times = {key: clock.parse(value) for key, value in conversation.items() if key.endswith("_date_time")}
        self._occurrences = Occurrences()
        self._first_speaker = ""

    def items(self, value: object, session: str, number: int) -> Iterator[Item]:
        """Yield the fate of one turn."""
        turn = convert(value, _Turn, number)
        if isinstance(turn, Skip):
            yield turn
            return
        if turn.img_url:
            yield DroppedBlock("image", number)
        content = _said(turn)
        if not content.strip():
            yield Skip("image only" if turn.img_url else "empty", number)
            return
        self._first_speaker = self._first_speaker or turn.speaker
        said_at, utc_offset = self._times.get(f"{session}_date_time", clock.UNKNOWN)
        message = Message(
            "user" if turn.speaker == self._first_speaker else "assistant",
            content,
            turn.speaker,
            said_at,
            utc_offset,
            turn.dia_id,
        )
        yield Entry(self._conversation, message, self._identity(session, message), number)

    def _identity(self, session: str, message: Message) -> str:
        prefix = f"{SOURCE}:{self._conversation.external_id}"
        if message.external_id:
            return f"{prefix}:{message.external_id}"
        return self._occurrences.identity(prefix, session, message.speaker, message.content)


def _said(turn: _Turn) -> str:
    photo = PHOTO.format(caption=turn.blip_caption) if turn.blip_caption else ""
    return "\n".join(filter(None, (turn.text, photo)))
