"""One JSON value a line: reading from where the last import stopped, and decoding what can be decoded.

A transcript grows while it is read. `Progress` therefore never passes a line that has no line end yet, nor one whose
records the caller has not taken: an import that stops anywhere reads those again, and their identities make them the
same messages.
"""

import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from memlite.importers.encoding import encoding_of, repair
from memlite.types.transcript import Skip

T = TypeVar("T")

_ANYTHING: Decoder[Any] = Decoder()


class Progress(Struct):
    """How far a file has been read: the bytes and the lines up to the end of the last complete line."""

    offset: int = 0
    lines: int = 0


class Line(Struct, frozen=True, gc=False):
    """A line that is not blank. `complete` says that its line end has been written."""

    number: int
    body: bytes
    complete: bool


def read_lines(stream: BinaryIO, progress: Progress) -> Iterator[Line]:
    """Yield the lines after `progress`, and move it along.

    UTF-16 files are read whole each time and leave `progress` alone: no program appends to one.
    """
    stream.seek(0)
    encoding = encoding_of(stream.read(4))
    if encoding == "utf-16":
        yield from _recoded_lines(stream)
        return
    stream.seek(progress.offset)
    for raw in stream:
        complete = raw.endswith(b"\n")
        number = progress.lines + 1
        body = (raw if progress.offset else raw.removeprefix(b"\xef\xbb\xbf")).strip()
        if body:
            yield Line(number, body, complete)
        if complete:
            progress.offset += len(raw)
            progress.lines = number


def _recoded_lines(stream: BinaryIO) -> Iterator[Line]:
    stream.seek(0)
    text = io.TextIOWrapper(stream, "utf-16", errors="replace", newline="\n")
    try:
        for number, line in enumerate(text, start=1):
            if body := line.strip():
                yield Line(number, body.encode(), line.endswith("\n"))
    finally:
        text.detach()  # the stream belongs to the caller


def decode(decoder: Decoder[T], body: bytes) -> T:
    """Decode a line; raise `msgspec.DecodeError` when even its repaired form is not JSON of the wanted shape."""
    if b"\\u0000" not in body:
        try:
            return decoder.decode(body)
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, RecursionError):
            pass
    return decoder.decode(_tolerant(body))


def _tolerant(body: bytes) -> str:
    """Parse as leniently as the standard library can (raw control characters in strings), and write it anew."""
    try:
        return json.dumps(json.loads(repair(body.decode("utf-8", "replace")), strict=False))
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from error


def rejected(line: Line, error: msgspec.DecodeError) -> Skip:
    """Say why a line could not be decoded."""
    try:
        decode(_ANYTHING, line.body)
    except msgspec.DecodeError as broken:
        if not line.complete:
            return Skip("incomplete last line", line.number, str(broken), issue=True)
        return Skip("malformed JSON", line.number, str(broken), issue=True)
    reason = "invalid content" if line.body.startswith(b"{") else "not an object"
    return Skip(reason, line.number, str(error), issue=True)
