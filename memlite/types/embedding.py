"""What makes two vectors comparable."""

from msgspec import Struct


class Fingerprint(Struct, frozen=True):
    """Identifies an embedding model. Vectors of unequal fingerprints must never share a vector set."""

    model: str
    digest: str
    """`sha256:` of the model file."""
    dims: int
    pooling: str
    prefix_query: str = ""
    prefix_text: str = ""
    max_tokens: int = 256
