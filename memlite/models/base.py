"""What memlite asks of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

from memlite.types.embedding import Fingerprint


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
