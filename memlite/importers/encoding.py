"""Bytes of a file to JSON text that a strict parser takes.

Agents, shells and copy tools leave UTF-16, broken UTF-8, half surrogate pairs and NULs in transcripts. Parsers
refuse the first three and SQLite the last two, so all are mended here, once, before anything is parsed.
"""

import codecs
import re
from typing import BinaryIO, Protocol

CHUNK = 1 << 16

_BAD_ESCAPE = re.compile(
    r"\\\\|\\u(?:(?P<pair>d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|(?P<bad>d[89a-f][0-9a-f]{2}|0000))", re.IGNORECASE
)
"""An escaped backslash is matched only to be stepped over: in `\\\\ud800` nothing is escaped but the backslash."""
_UNFINISHED_ESCAPE = re.compile(r"\\[\\u0-9a-fA-F]*$")


class Readable(Protocol):
    """What ijson asks of a file."""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes, and none only at the end."""
        ...


def encoding_of(head: bytes) -> str:
    """Name the encoding of a file by its first bytes. UTF-16 counts only with its mark, which all writers of it set."""
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def repair(text: str) -> str:
    """Put U+FFFD where JSON text holds a NUL or escapes a NUL or half a surrogate pair."""
    return _BAD_ESCAPE.sub(lambda found: "\\ufffd" if found["bad"] else found[0], text.replace("\0", "\ufffd"))


class RepairedStream:
    """A file of any encoding as repaired UTF-8, a chunk at a time, so that a file of any size can be streamed."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._held = ""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next chunk. An escape at its end waits for the next one, because its second half decides."""
        if size == 0:  # ijson asks for nothing first, to see whether it gets bytes
            return b""
        while True:
            raw = self._stream.read(max(size, CHUNK))
            text = self._held + self._decoder.decode(raw, final=not raw)
            unfinished = _UNFINISHED_ESCAPE.search(text) if raw else None
            cut = unfinished.start() if unfinished else len(text)
            self._held = text[cut:]
            if cut or not raw:
                return repair(text[:cut]).encode()
