"""The parts of a bench, and the running of them.

Times are medians and 95th percentiles of wall clock on a machine that may be busy: judge by the ratio to the floor of
the same run.
"""

import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version

from memlite.evaluate.bench import ingesting, processes, searching
from memlite.evaluate.bench.figures import BenchReport, Figure, Machine
from memlite.evaluate.bench.stores import Stores

PARTS: dict[str, Callable[[Stores, Sequence[int]], list[Figure]]] = {
    "ingest": ingesting.measure_ingest,
    "add": ingesting.measure_add,
    "search": searching.measure,
    "cold": processes.measure_cold,
    "memory": processes.measure_memory,
    "size": ingesting.measure_size,
}


def measure(parts: Sequence[str], sizes: Sequence[int], stores: Stores) -> Iterator[tuple[str, list[Figure]]]:
    """Measure the parts in turn, each in stores of these many exchanges."""
    for part in parts:
        yield part, PARTS[part](stores, sizes)


def report(found: dict[str, list[Figure]], sizes: Sequence[int], started: float) -> BenchReport:
    """Return all figures with where they were taken; `started` is the time.monotonic() of the beginning."""
    machine = Machine(
        system=f"{platform.system()} {platform.machine()}",
        cpus=os.cpu_count() or 0,
        python=platform.python_version(),
        sqlite=version("apsw"),
        memlite=version("memlite"),
    )
    parts = {part: tuple(figures) for part, figures in found.items()}
    return BenchReport(machine, tuple(sizes), parts, round(time.monotonic() - started, 1))
