"""Transcripts to entries: which files are transcripts, of what format, and what becomes of each record.

Nothing here knows the store. Every record that is read ends in exactly one Entry or one Skip, and every file that a
walk leaves aside is one Skip, so that the counts of an import add up.
"""

import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path, PurePath
from typing import BinaryIO

from memlite.importers.formats import FORMATS, Format
from memlite.importers.generic import from_messages
from memlite.importers.lines import Progress
from memlite.importers.sniff import HEAD_BYTES, Head
from memlite.importers.source import Item, Source
from memlite.types.transcript import Skip

__all__ = ["FORMATS", "Format", "Item", "Progress", "detect", "from_messages", "identify", "read", "walk"]

STDIN = "stdin"

_SIDE_FILES = ("sessions-index.json",)
"""Files that clients keep beside their transcripts; so are those that end in `.meta.json`."""


def detect(source: Path | BinaryIO) -> Format | None:
    """Return the format of a file or of a seekable stream, or None when it is none of ours. The name counts last."""
    found = identify(source)
    return None if isinstance(found, Skip) else found


def identify(source: Path | BinaryIO) -> Format | Skip:
    """Return the format, or why there is none: `empty file`, `not a transcript` or `unrecognised format`."""
    with _opened(source) as stream:
        stream.seek(0)
        head = Head(stream.read(HEAD_BYTES))
        stream.seek(0)
    if head.is_empty:
        return Skip("empty file")
    place = source if isinstance(source, Path) else PurePath()
    found = next((form for form in FORMATS if form.matches(head)), None)
    found = found or next((form for form in FORMATS if form.is_at(place)), None)
    if found is None and head.looks_like_json:
        return Skip("unrecognised format", detail="JSON, but of no layout that memlite reads", issue=True)
    return found or Skip("not a transcript")


def read(
    source: Path | BinaryIO,
    form: Format | None = None,
    *,
    progress: Progress | None = None,
    subagents: bool = False,
    name: str = "",
) -> Iterator[Item]:
    """Yield what each record of a file becomes, one record in memory at a time.

    A stream must be seekable: hold stdin in `io.BytesIO` first. `progress` says where to start in a format that `grows`
    and is moved along as records are taken; behind the last one it stands at the end of the last complete line.
    `name` stands in for a conversation id that the file does not give; it defaults to the file's stem.
    """
    found = form or identify(source)
    if isinstance(found, Skip):
        yield found
        return
    name = name or (source.stem if isinstance(source, Path) else STDIN)
    with _opened(source) as stream:
        yield from found.records(Source(stream, name, progress or Progress(), subagents))


def _opened(source: Path | BinaryIO) -> "nullcontext[BinaryIO] | BinaryIO":
    return source.open("rb") if isinstance(source, Path) else nullcontext(source)


def walk(root: Path, *, subagents: bool = False) -> Iterator[tuple[Path, Format | Skip]]:
    """Yield every file at or under a path in sorted order, with its format or with why it is left aside.

    A file that is named itself is judged by its content alone.
    """
    if not root.is_dir():
        yield root, _judged(root)
        return
    for path in _files(root):
        if isinstance(path, OSError):
            yield Path(path.filename), Skip("unreadable", detail=str(path), issue=True)
        else:
            yield path, _aside(path.relative_to(root), subagents) or _judged(path)


def _files(root: Path) -> Iterator[Path | OSError]:
    errors: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=errors.append):
        folders.sort()
        yield from errors
        errors.clear()
        yield from (Path(folder, name) for name in sorted(names))
    yield from errors


def _aside(path: PurePath, subagents: bool) -> Skip | None:
    """Leave files aside by their names, without opening them: sub-agents write most of the files in a project."""
    if "tool-results" in path.parts[:-1]:
        return Skip("tool-result file")
    if not subagents and ("subagents" in path.parts[:-1] or path.match("agent-*.jsonl")):
        return Skip("sub-agent file")
    if path.name in _SIDE_FILES or path.name.endswith(".meta.json"):
        return Skip("not a transcript")
    return None


def _judged(path: Path) -> Format | Skip:
    if path.exists() and not path.is_file():
        return Skip("not a transcript", detail="not a regular file")
    try:
        return identify(path)
    except OSError as error:
        return Skip("unreadable", detail=str(error), issue=True)
