"""What memlite asks of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Fingerprint(Struct, frozen=True):
    """What makes two vectors comparable. Two embedders with unequal fingerprints must never share a vector set."""

    model: str
    digest: str
    """`sha256:` of the model file."""
    dims: int
    pooling: str
    prefix_query: str = ""
    prefix_text: str = ""
    max_tokens: int = 256


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
