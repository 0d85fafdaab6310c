"""What every format reads from and yields, and the small things they say in the same way."""

import re
from collections import Counter
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from memlite.importers.lines import Progress
from memlite.text.digest import digest
from memlite.types.transcript import DroppedBlock, Entry, Skip

Item: TypeAlias = Entry | Skip | DroppedBlock
"""A record's fate is one Entry or one Skip; a DroppedBlock comes beside either."""

TITLE_LENGTH = 100

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


class Source(Struct):
    """An open, seekable file. `name` stands in for ids the file lacks: the file's stem, or `stdin`."""

    stream: BinaryIO
    name: str
    progress: Progress
    subagents: bool = False


class Occurrences:
    """Tells equal messages apart by their number, for sources that give no ids."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def identity(self, prefix: str, *parts: str) -> str:
        """Return `prefix:digest:number`, where the number counts the same parts within one read."""
        key = digest(prefix, *parts)
        self._seen[key] += 1
        return f"{prefix}:{key}:{self._seen[key]}"


def title_of(text: str) -> str:
    """Make a title from the first thing a person says, without what a client injected into it."""
    return _REMINDER.sub("", text).strip()[:TITLE_LENGTH]


def project_of(cwd: str) -> str:
    """Return the last part of a working directory, whichever system wrote it."""
    return re.split(r"[\\/]", cwd.rstrip("\\/"))[-1]
