"""What memlite asks of a model: vectors of an embedding model, continuations of a language model."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from memlite.types.embedding import Fingerprint
from memlite.types.model import ModelInfo


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Identify the model without loading it."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one unit vector a text, as little-endian float32 bytes of length 4 x dims, in the order of `texts`."""
        ...

    def embed_query(self, text: str) -> bytes:
        """Return the unit vector of a question, in the same form."""
        ...


class Prompt(Struct, frozen=True):
    """What a language model is given: what to do, the text to do it with, and what is asked of it now.

    The text is data: nothing in it can end it, or pass for a mark of the model's own.
    """

    instruction: str
    text: str
    question: str


class BadAnswer(ValueError):
    """A model's answer that has not the form it was asked for; asking again later may help."""


class Generator(Protocol):
    """Continues texts, always in the same way: there is no chance in it.

    What two prompts in a row have in common at their beginning is read once.
    """

    @property
    def info(self) -> ModelInfo:
        """Describe the model without loading it."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the model reads `text` as."""
        ...

    def complete(self, prompt: Prompt, *, grammar: str, max_tokens: int) -> str:
        """Return the likeliest answer that `grammar` (GBNF) allows, cut off after `max_tokens`.

        :raises ModelUnusable: the model file is gone or does not load, or the prompt is too long for it
        :raises ValueError: the grammar cannot be read, or asks for signs that the model cannot write
        """
        ...
