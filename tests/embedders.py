"""An embedder for tests in which the real model is not the point: deterministic, instant, needs nothing installed."""

import hashlib
import math
import re
import struct
from collections import Counter
from collections.abc import Sequence
from functools import cache

from memlite.types.embedding import Fingerprint

DIMS = 384


class WordEmbedder:
    """Texts that share words get similar vectors: each word adds a fixed direction of its own.

    `name` goes into the fingerprint and the directions, so two embedders of different name must not be mixed.
    `embedded` lists every text that was embedded, for tests that count.
    """

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.embedded: list[str] = []

    @property
    def fingerprint(self) -> Fingerprint:
        digest = hashlib.sha256(self.name.encode()).hexdigest()
        return Fingerprint(model=f"test {self.name}", digest=f"sha256:{digest}", dims=DIMS, pooling="sum of words")

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> bytes:
        return self.embed([text])[0]

    def _vector(self, text: str) -> bytes:
        words = Counter(re.findall(r"\w+", text.lower())) or Counter([""])
        total = [0.0] * DIMS
        for word, count in words.items():
            for at, sign in enumerate(_signs(f"{self.name}\0{word}")):
                total[at] += sign * count
        length = math.hypot(*total)
        return struct.pack(f"<{DIMS}f", *(value / length for value in total))


@cache
def _signs(word: str) -> list[int]:
    """384 signs from a hash: two words' directions are nearly at right angles."""
    bits = int.from_bytes(hashlib.shake_256(word.encode(errors="replace")).digest(DIMS // 8))
    return [1 if bits >> at & 1 else -1 for at in range(DIMS)]
