"""Whole-file JSON, streamed: one element in memory at a time, whatever the size of the file."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, BinaryIO, TypeVar

import ijson
import msgspec

from memlite.importers.encoding import RepairedStream, encoding_of
from memlite.types.transcript import Skip

T = TypeVar("T")

_SCALARS = ("string", "number")


def _open(stream: BinaryIO) -> RepairedStream:
    stream.seek(0)
    encoding = encoding_of(stream.read(4))
    stream.seek(0)
    return RepairedStream(stream, encoding)


def elements(stream: BinaryIO, prefix: str) -> Iterator[tuple[int, Any] | Skip]:
    """Yield the values at an ijson prefix with their 1-based numbers.

    Where the file breaks off, one Skip follows the elements before the break.
    """
    number = 0
    try:
        for number, value in enumerate(ijson.items(_open(stream), prefix), start=1):
            yield number, value
    except ijson.JSONError as error:
        yield Skip("malformed JSON", number + 1, str(error).split("\n")[0], issue=True)


def header(stream: BinaryIO) -> dict[str, Any]:
    """Return the top-level texts and numbers of an object, wherever in the file they stand."""
    found: dict[str, Any] = {}
    try:
        for prefix, event, value in ijson.parse(_open(stream)):
            if event in _SCALARS and prefix and "." not in prefix:
                found[prefix] = value
    except ijson.JSONError:
        return found  # `elements` reads the same file and reports the break
    return found


def is_list(stream: BinaryIO) -> bool:
    """Tell a top-level list from an object."""
    reader = _open(stream)
    start = b""
    while not start and (chunk := reader.read()):
        start = chunk.lstrip()[:1]
    return start == b"["


def convert(value: object, kind: type[T], number: int) -> T | Skip:
    """Turn an element into a view struct, or say why it cannot be one."""
    if not isinstance(value, dict):
        return Skip("not an object", number, f"got {type(value).__name__}", issue=True)
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        return Skip("invalid content", number, str(error), issue=True)


def name_of(value: object) -> str:
    """Return an id as text; sources write them as texts or numbers. "" for anything else."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""
