"""Short digests that say when two things are the same."""

from hashlib import blake2b

IDENTITY_BYTES = 16
WORDS_BYTES = 12


def identity_digest(identity: str) -> bytes:
    """Return the 16 bytes under which a message with this identity is stored."""
    return _blake(identity, IDENTITY_BYTES)


def words_digest(*parts: str) -> bytes:
    """Return 12 bytes that are equal for equal parts; a 4-byte count of repetitions makes an identity of them."""
    # Each part is preceded by its length, so that ("ab", "c") and ("a", "bc") differ.
    return _blake("".join(f"{len(part)}:{part}" for part in parts), WORDS_BYTES)


def digest(*parts: str) -> str:
    """Return `words_digest` in hexadecimal."""
    return words_digest(*parts).hex()


def _blake(text: str, size: int) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()
