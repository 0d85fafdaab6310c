"""An export: a store as lines of JSON, one row a line."""

from typing import Any

from msgspec import Struct

VERSION = 1
"""Of the layout of an export; the first line has it."""


class Row(Struct, frozen=True):
    """A row of a table. What refers to another row says its number, which counts the rows of that table in the file."""

    table: str
    values: dict[str, Any]
    number: int | None = None
    """None for tables whose rows nothing refers to."""
    line: int = 0


class ExportReport(Struct, frozen=True):
    """What an export holds, by table."""

    rows: dict[str, int]
    schema_version: int = 1
