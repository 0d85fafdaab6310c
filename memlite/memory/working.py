"""A worker at its work: what is common to distilling, extracting, embedding and upgrading.

Tasks are claimed a few at a time, worked on without any lock and written in one short transaction, so a kill costs at
most one batch of work and no text, and two processes share the work instead of doing it twice.
"""

import os
import platform
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from msgspec import Struct, field

from memlite.store import tasks
from memlite.store.connection import Store

Progress = Callable[[str, int, int], None]
"""(what: the kind of task, such as `distill`, `extract` or `embed`; exchanges done, exchanges in all)"""


class Bounds(Struct, frozen=True):
    """How far a run goes: at most so many exchanges, up to an instant of `time.monotonic()`, one project."""

    limit: int | None = None
    deadline: float | None = None
    project: str = ""

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def within(self, waiting: int) -> int:
        """Return how many of those that wait the limit allows."""
        return waiting if self.limit is None else min(waiting, self.limit)


VECTORS_ONLY = Bounds(limit=0)


class Undone(Struct, frozen=True):
    """An exchange of which nothing was made, and why: not worth it, or the engine failed on it."""

    state: Literal["skipped", "failed"]
    reason: str


class Tally(Struct):
    """What a run has done so far."""

    distilled: int = 0
    embedded: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    windows: int = 0
    windows_failed: Counter[str] = field(default_factory=Counter)
    records: int = 0
    records_refused: Counter[str] = field(default_factory=Counter)
    records_embedded: int = 0

    def count(self, undone: Undone) -> None:
        """Count an exchange that got no object."""
        if undone.state == "failed":
            self.failed += 1
        else:
            self.skipped[undone.reason] += 1


class Run(Struct):
    """One worker at its work."""

    store: Store
    me: str
    bounds: Bounds
    progress: Progress | None
    tally: Tally = field(default_factory=Tally)


def repeat(
    run: Run, kind: str, step: Callable[[int], int], batch: int, within: Callable[[int], int] = lambda waiting: waiting
) -> None:
    """Call `step` with how many tasks of a kind to take, up to the bounds; it returns how many there were."""
    total = within(tasks.count_pending(run.store.con, kind, run.bounds.project))
    done = 0
    while done < total and not run.bounds.passed:
        count = step(min(batch, total - done))
        if not count:  # another process has taken the rest
            break
        done += count
        if run.progress:
            run.progress(kind, done, total)


def owner() -> str:
    """Return a name for this worker that no other living one has."""
    return f"{platform.node()}/{os.getpid()}/{threading.get_ident()}-{time.monotonic_ns()}"


def is_gone(owner: str) -> bool:
    """Return whether a worker's process is known to have ended; only the machine it ran on can tell."""
    node, pid, _ = owner.split("/")
    if node != platform.node() or os.name != "posix":  # on Windows os.kill ends a process that it is asked about
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # somebody else's, and alive
    return False


def recover(store: Store) -> bool:
    """Give back what workers hold that have ended, and return whether there were any."""
    gone = [other for other in tasks.list_owners(store.con) if is_gone(other)]
    if gone:
        with store.transaction() as con:
            for name in gone:
                tasks.recover(con, name)
    return bool(gone)


@contextmanager
def giving_back(store: Store, me: str) -> Iterator[None]:
    """Give back what a worker holds when it is interrupted or fails."""
    try:
        yield
    except BaseException:
        with store.transaction() as con:
            tasks.release(con, me)
        raise
