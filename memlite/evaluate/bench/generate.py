"""Lifelike conversations of any number, the same for the same seed: what speed and size are measured on.

Words come from the frequency-ordered vocabulary of the embedding model and, behind it, from made-up syllables, drawn by
Zipf's law, so that the keyword index meets a few words that are everywhere and many that are rare. Each conversation
has its own topic words. One half of the exchanges is work on code (about 370 tokens, with identifiers, paths, versions
and error codes), the other half is talk (about 50 words).
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from memlite.models.onnx import VOCABULARY

WORDS = 30_000
TOPIC_WORDS, TOPIC_SHARE = 25, 0.12
CODE_WORDS, TALK_WORDS = (40, 160), (18, 32)  # of a question and of its answer
CODE_EXCHANGES, TALK_EXCHANGES = 10, 20  # of one conversation
PROJECTS = 20
_SYLLABLES = "ba co di fu ga he ji ka lo mi no pe qua ri su ta vo we xi yu zan ler mon tis dra pel".split()
_FIRST = datetime(2024, 1, 1, 8, tzinfo=UTC)


class Message(Struct, omit_defaults=True):
    """A line of the generic format."""

    conversation: str
    project: str
    role: str
    content: str
    timestamp: str


def vocabulary() -> list[str]:
    """Return WORDS words, the most frequent first."""
    lines = VOCABULARY.read_text(encoding="utf-8").splitlines()
    known = [word for word in lines if re.fullmatch(r"[a-z]{2,}|a|i", word)]
    made = ("".join(_SYLLABLES[(at // 26**place) % 26] for place in range(3)) for at in range(26**3))
    return list(dict.fromkeys([*known, *made]))[:WORDS]


class Generator:
    """Draws conversations; equal seeds give equal text."""

    def __init__(self, seed: int = 1) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)
        self._vocabulary = np.array(vocabulary(), dtype=object)
        weights = 1.0 / (np.arange(len(self._vocabulary)) + 2.7)  # Zipf-Mandelbrot, exponent 1
        self._cumulated = np.cumsum(weights / weights.sum())
        self._count = 0

    def conversations(self, exchanges: int) -> Iterator[list[Message]]:
        """Yield conversations with that many exchanges in all."""
        left = exchanges
        while left > 0:
            # Two of work to one of talk, which has twice as many exchanges: half of each.
            code = self._count % 3 < 2
            count = min(left, CODE_EXCHANGES if code else TALK_EXCHANGES)
            yield self._conversation(count, code)
            self._count += 1
            left -= count

    def _conversation(self, exchanges: int, code: bool) -> list[Message]:
        name, project = f"conversation-{self._count}", f"project-{self._count % PROJECTS}"
        topic = self._vocabulary[self._random.integers(500, WORDS, TOPIC_WORDS)]
        moment = _FIRST + timedelta(minutes=7 * self._count)
        messages = []
        for number in range(2 * exchanges):
            moment += timedelta(seconds=40)
            length = (CODE_WORDS if code else TALK_WORDS)[number % 2]
            content = self._text(int(length * self._random.uniform(0.5, 1.5)), topic, code)
            stamp = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
            messages.append(Message(name, project, ("user", "assistant")[number % 2], content, stamp))
        return messages

    def _text(self, count: int, topic: Any, code: bool) -> str:
        drawn = self._vocabulary[self._cumulated.searchsorted(self._random.random(count))]
        about = self._random.random(count) < TOPIC_SHARE
        drawn[about] = topic[self._random.integers(0, len(topic), int(about.sum()))]
        words: list[str] = list(drawn)
        if code:
            for at in self._random.integers(0, count, max(1, count // 14)):
                words[at] = self._technical(topic)
        sentences = []
        while words:
            size = int(self._random.integers(6, 19))
            sentence, words = " ".join(words[:size]), words[size:]
            sentences.append(sentence[:1].upper() + sentence[1:] + ".")
        return " ".join(sentences)

    def _technical(self, topic: Any) -> str:
        one, two = topic[self._random.integers(0, len(topic), 2)]
        kind, number = (int(value) for value in self._random.integers(0, (6, 900)))
        return (
            f"{one}_{two}",
            f"{one}{two.title()}",
            f"src/{one}/{two}.py",
            f"v{number % 9}.{number % 23}.{number % 7}",
            f"E{1000 + number}",
            f"`{one}.{two}({number})`",
        )[kind]


def write_jsonl(path: Path, exchanges: int, seed: int = 1) -> Path:
    """Write conversations as generic JSONL; a file that is there already is kept."""
    if not path.exists():
        encode = msgspec.json.Encoder().encode
        part = path.with_suffix(".part")
        with part.open("wb") as out:
            for conversation in Generator(seed).conversations(exchanges):
                out.write(b"".join(encode(message) + b"\n" for message in conversation))
        part.rename(path)
    return path


def read_jsonl(path: Path) -> Iterator[Message]:
    """Yield the messages of a generated file."""
    decode = msgspec.json.Decoder(Message).decode
    with path.open("rb") as lines:
        yield from map(decode, lines)


def queries(path: Path, count: int, seed: int = 2) -> list[str]:
    """Return questions of 2 to 8 words, each from one message of the file, common words and identifiers included."""
    import numpy as np

    messages = list(read_jsonl(path))
    random = np.random.default_rng(seed)
    found = []
    for at in random.integers(0, len(messages), count):
        words = messages[at].content.replace(". ", " ").rstrip(".").split()
        size = min(int(random.integers(2, 9)), len(words))
        start = int(random.integers(0, len(words) - size + 1))
        found.append(" ".join(words[start : start + size]))
    return found


def sample_messages(count: int, seed: int = 3) -> list[list[dict[str, str]]]:
    """Return exchanges, question and answer, that no generated file holds: what `add` is timed with."""
    made: list[list[dict[str, str]]] = []
    for conversation in Generator(seed).conversations(count):
        pairs = zip(conversation[::2], conversation[1::2], strict=True)
        made += [[{"role": m.role, "content": m.content, "timestamp": m.timestamp} for m in pair] for pair in pairs]
    return made
