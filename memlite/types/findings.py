"""What `memlite doctor` finds."""

from typing import Literal

from msgspec import Struct

Severity = Literal["ok", "note", "warning", "error"]
"""`note`: good to know. `warning`: something is off, nothing is lost. `error`: what is stored cannot be relied on."""


class Finding(Struct, frozen=True):
    """One thing that was looked at."""

    check: str
    severity: Severity
    message: str
    remedy: str = ""
    """What to do about it, or ""."""
    mends: bool = False
    """Whether `memlite doctor --fix` does it."""


class Salvage(Struct, frozen=True):
    """What was read out of a damaged file into a new one."""

    path: str
    rows: dict[str, int]
    """By table."""
    lost: dict[str, int]
    """Rows that could be read, and rested on others that could not."""
    unread: tuple[str, ...]
    """Tables of which a part could not be read; how many rows that was, nobody can tell."""


class Examination(Struct, frozen=True):
    """The state of a store and its surroundings, and what was done about it."""

    path: str
    findings: tuple[Finding, ...]
    mended: tuple[str, ...] = ()
    """What `--fix` made again."""
    salvage: Salvage | None = None
    schema_version: int = 1

    @property
    def worst(self) -> Severity:
        """The severity of the worst finding."""
        order: tuple[Severity, ...] = ("error", "warning", "note")
        return next((one for one in order if any(found.severity == one for found in self.findings)), "ok")
