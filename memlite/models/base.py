"""What memlite asks of a model: vectors of an embedding model, continuations of a language model."""

from collections.abc import Sequence
from typing import Protocol

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


class Generator(Protocol):
    """Continues texts, always in the same way: there is no chance in it."""

    @property
    def info(self) -> ModelInfo:
        """Describe the model without loading it."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the model reads `text` as."""
        ...

    def complete(self, instruction: str, given: str, *, grammar: str, max_tokens: int) -> str:
        """Return the likeliest answer to `instruction` about `given` that `grammar` (GBNF) allows.

        It ends where the grammar does or after `max_tokens`, whichever comes first. The instruction is put to the model
        as its file says; what of it the last call had too is not read again.
        """
        ...

    def log_likelihoods(self, instruction: str, given: str, answers: Sequence[str]) -> list[float]:
        """Return for each answer the sum of the natural logarithms of its tokens' probabilities."""
        ...
