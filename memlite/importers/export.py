"""Exports of memlite's own stores: a first line that says so, a row of a table on each line, and a last line of counts.

Unlike a transcript an export holds what was made of the text too. So it is not read record by record: `read_rows` gives
its rows, and memlite.memory.porting writes them.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET, Struct, UnsetType

from memlite.errors import BadTranscript
from memlite.importers.lines import Progress, decode, read_lines, rejected
from memlite.importers.sniff import Head
from memlite.importers.source import Item, Source
from memlite.types.export import VERSION, Row
from memlite.types.transcript import Skip

SOURCE = "memlite"


class FirstLine(Struct, frozen=True):
    """What begins an export."""

    memlite_export: int
    schema: int


class LastLine(Struct, frozen=True):
    """What ends an export: its rows, by table."""

    rows: dict[str, int]


class _Line(Struct, gc=False):
    table: str | UnsetType = UNSET
    number: int | None = None
    values: dict[str, Any] = {}
    memlite_export: int | UnsetType = UNSET
    rows: dict[str, int] | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(_Line)


def matches(head: Head) -> bool:
    """Tell an export by its first line."""
    return head.record.has("memlite_export") and head.record.has("schema")


def items(source: Source) -> Iterator[Item]:
    """Give no single records: an export is one thing."""
    yield Skip("export of a store", detail="it is imported as a whole", issue=True)


def read_rows(stream: BinaryIO) -> Iterator[Row | LastLine | Skip]:
    """Yield the rows of an export, the counts that end it, and why a line is neither.

    :raises BadTranscript: it was written by a newer memlite
    """
    for line in read_lines(stream, Progress()):
        try:
            found = decode(_DECODER, line.body)
        except msgspec.DecodeError as error:
            yield rejected(line, error)
            continue
        if found.memlite_export is not UNSET:
            if found.memlite_export > VERSION:
                raise BadTranscript(
                    f"this export has version {found.memlite_export}, this memlite reads versions up to {VERSION}. "
                    "Upgrade memlite"
                )
        elif found.rows is not UNSET:
            yield LastLine(found.rows)
        elif found.table is not UNSET:
            yield Row(found.table, found.values, found.number, line.number)
        else:
            yield Skip("not a row", line.number, issue=True)
