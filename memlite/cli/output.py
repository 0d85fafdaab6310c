"""Printing: one JSON document or plain text on stdout, notes and progress on stderr."""

import re
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from shutil import get_terminal_size
from typing import Any

import click
import msgspec

from memlite.types.report import Issue

# Text from elsewhere must not steer the terminal it is shown on.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
WIDEST = 110
SHOWN_ISSUES = 10


def document(value: Any) -> None:
    """Print a value as one JSON document."""
    click.echo(msgspec.json.encode(value))


def note(text: str) -> None:
    """Tell the user something that is not data."""
    click.echo(click.style(printable(text), dim=True), err=True)


def printable(text: str) -> str:
    """Return text without characters that steer a terminal."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))


def block(text: str, indent: str = "    ", width: int | None = None) -> str:
    """Return text indented, and wrapped to `width`: by default to the terminal's, and not at all into a pipe."""
    if width is None and sys.stdout.isatty():
        width = min(get_terminal_size().columns, WIDEST)
    lines = printable(text).split("\n")
    if width is not None:
        lines = [part for line in lines for part in textwrap.wrap(line, max(20, width - len(indent))) or [""]]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def highlight(text: str, words: Sequence[str]) -> str:
    """Return text with the words that begin with one of `words` in bold."""
    if not words:
        return text
    beginnings = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.sub(
        rf"(?<![^\W_])(?:{beginnings})[^\W_]*", lambda found: click.style(found[0], bold=True), text, flags=re.I
    )


def local(instant: str | None, form: str = "%Y-%m-%d %H:%M") -> str:
    """Return an instant of the store in the machine's time zone, the one that date filters mean."""
    return datetime.fromisoformat(instant).astimezone().strftime(form) if instant else "time unknown"


def counted(count: int, noun: str) -> str:
    """Return `1 message`, `2,000 messages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def reasons(counts: Mapping[str, int]) -> str:
    """Return counts by reason in words, most first."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{count:,} {printable(reason)}" for reason, count in ordered)


def issues(found: Sequence[Issue]) -> list[str]:
    """Return the first issues, a line each, and how many more there are."""
    lines = []
    for issue in found[:SHOWN_ISSUES]:
        place = f"{issue.path or 'stdin'}{f':{issue.line}' if issue.line else ''}"
        lines.append(printable(f"  {place}: {issue.reason}"))
    if len(found) > SHOWN_ISSUES:
        lines.append(f"  … and {len(found) - SHOWN_ISSUES:,} more; --json lists all")
    return lines


class Bars:
    """Progress bars on stderr, one after another: a new one where the work has a new name.

    Each shows how fast the work goes and, by click, how long it will take.
    """

    def __init__(self) -> None:
        self._work = ("", 0)
        self._bar: Any = None
        self._started = 0.0

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show how far the work of this name is."""
        if (name, total) != self._work:
            self.end()
            self._work = (name, total)
            self._bar = click.progressbar(
                length=total,
                label=name,
                file=sys.stderr,
                show_pos=True,
                show_percent=True,
                item_show_func=lambda rate: rate,
            )
            self._bar.__enter__()
            self._started = time.monotonic()
        # Counted up to the call before: what the first one brings was done before the clock started.
        self._bar.update(done - self._bar.pos, rate(self._bar.pos, time.monotonic() - self._started))

    def end(self) -> None:
        """Leave the terminal on a new line."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
        self._work, self._bar = ("", 0), None


def rate(count: int, seconds: float) -> str:
    """Return how fast work goes, by the second or, where it is slow, by the minute."""
    if not count or seconds <= 0:
        return ""
    each = count / seconds
    return f"{each:,.0f}/s" if each >= 10 else f"{60 * each:,.0f}/min"


@contextmanager
def progress() -> Iterator[Bars | None]:
    """Give bars when a person watches stderr, else None."""
    if not sys.stderr.isatty():
        yield None
        return
    bars = Bars()
    try:
        yield bars
    finally:
        bars.end()
