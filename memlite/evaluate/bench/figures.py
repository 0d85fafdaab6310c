"""Measured figures: how they are taken, and the table they are shown in."""

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One measured value with its target in design.md 9, as text, where there is one."""

    name: str
    value: float
    unit: str
    target: str = ""
    p95: float | None = None
    note: str = ""


class Machine(Struct, frozen=True):
    """Where figures were taken."""

    system: str
    cpus: int
    python: str
    sqlite: str
    memlite: str


class BenchReport(Struct, frozen=True):
    """All figures of one run, by part."""

    machine: Machine
    sizes: tuple[int, ...]
    """Exchanges in the stores."""
    parts: dict[str, tuple[Figure, ...]]
    seconds: float
    schema_version: int = 1


def timed(call: Callable[[], object]) -> float:
    """Return the seconds a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def milliseconds(
    name: str, calls: Iterable[Callable[[], object]], target: str = "", *, note: str = "", warm_up: int = 0
) -> Figure:
    """Return median and 95th percentile of the calls, the first `warm_up` of them left out."""
    times = [1000 * timed(call) for call in calls][warm_up:]
    return Figure(name, round(median(times), 3), "ms", target, round(percentile(times, 0.95), 3), note)


def ratio(name: str, figure: Figure, floor: Figure, target: str = "") -> Figure:
    """Return how many times the floor a figure is."""
    return Figure(name, round(figure.value / floor.value, 2), "times", target)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(figures: Sequence[Figure]) -> str:
    """Return figures as lines of text."""
    width = max((len(figure.name) for figure in figures), default=0)
    return "\n".join(_line(figure, width) for figure in figures)


def _line(figure: Figure, width: int) -> str:
    p95 = f" p95 {figure.p95:10,.2f}" if figure.p95 is not None else " " * 15
    target = f" target {figure.target}" if figure.target else ""
    note = f" ({figure.note})" if figure.note else ""
    return f"  {figure.name:{width}} {figure.value:12,.2f} {figure.unit:14}{p95}{target}{note}".rstrip()
