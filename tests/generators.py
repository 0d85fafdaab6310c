"""Language models for tests in which no real one is the point: deterministic, instant, they need nothing installed."""

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from memlite.distill.grounding import settle
from memlite.models.base import Generator, Prompt
from memlite.types.model import ModelInfo
from memlite.types.palace import Exchange, PalaceObject, Proposal, Settled

BY_WORDS = re.compile(r"\S+\s*")


class _Generator:
    """What all of them share. `name` goes into the digest, so two of different name are two models.

    `given` lists every prompt that was put to `complete`, for tests that count.
    """

    def __init__(self, name: str = "stand-in", parameters: int = 4_000_000_000) -> None:
        digest = hashlib.sha256(name.encode()).hexdigest()
        self.info = ModelInfo(
            name=name,
            path=f"/models/{name}.gguf",
            architecture="llama",
            quantisation="Q4_K_M",
            parameters=parameters,
            context=8192,
            size_bytes=1,
            digest=f"sha256:{digest}",
            chat_template=True,
        )
        self.given: list[Prompt] = []

    def count(self, text: str) -> int:
        return len(BY_WORDS.findall(text))

    def complete(self, prompt: Prompt, *, grammar: str, max_tokens: int) -> str:
        self.given.append(prompt)
        return "".join(BY_WORDS.findall(self.answer(prompt))[:max_tokens])

    def log_likelihoods(self, prompt: Prompt, answers: Sequence[str]) -> list[float]:
        """It has a fixed opinion on every answer, whatever the question."""
        return [-hashlib.sha256(answer.encode()).digest()[0] / 256 for answer in answers]

    def answer(self, prompt: Prompt) -> str:
        raise NotImplementedError


class QueuedGenerator(_Generator):
    """Gives the answers it was given, in order, whatever it is asked; then "". An exception among them is raised."""

    def __init__(self, answers: Iterable[str | BaseException] = (), **about: str) -> None:
        super().__init__(**about)
        self.answers = list(answers)

    def answer(self, prompt: Prompt) -> str:
        found = self.answers.pop(0) if self.answers else ""
        if isinstance(found, BaseException):
            raise found
        return found


class CallingGenerator(_Generator):
    """Gives what a function says of the prompt."""

    def __init__(self, function: Callable[[Prompt], str], **about: str) -> None:
        super().__init__(**about)
        self.answer = function


class SlowGenerator(_Generator):
    """Takes `seconds` over each answer, which is "" each time."""

    def __init__(self, seconds: float, **about: str) -> None:
        super().__init__(**about)
        self.seconds = seconds

    def answer(self, prompt: Prompt) -> str:
        time.sleep(self.seconds)
        return ""


def an_object(core: str = "", context: str = "", rooms: Sequence[tuple[str, str]] = ()) -> str:
    """Return an object as a model would write it, whole; rooms are (type, label)."""
    return msgspec.json.encode(
        {
            "exchange_core": core,
            "specific_context": context,
            "rooms": [{"type": type, "key": label, "label": label} for type, label in rooms],
        }
    ).decode()


def upgrade_whole(exchange: Exchange, floor: PalaceObject, generator: Generator) -> Settled:
    """Stand in for memlite.distill.upgrade.upgrade where prompts are not the point: the answer is the object."""
    answer = generator.complete(Prompt("", exchange.text, ""), grammar="", max_tokens=1_000)
    proposal = msgspec.json.decode(answer, type=Proposal) if answer else Proposal()
    return settle(exchange, floor, proposal, "gguf")
