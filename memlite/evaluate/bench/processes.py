"""What a new process takes: cold searches, --help, and the largest resident memory."""

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from memlite.evaluate.bench.figures import Figure, milliseconds
from memlite.evaluate.bench.stores import Stores

COLD = 15_000
QUESTION = "which version broke the deployment script"

# The peak of this process alone: ru_maxrss would also hold what the parent had at the fork.
PEAK = """
import json, pathlib, sys
{work}
print(json.dumps(int(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024))
"""
SEARCH = """
import memlite
with memlite.open(sys.argv[1]) as memory:
    for text in {questions!r}:
        memory.search(text)
"""
IMPORT = """
import memlite
with memlite.open(sys.argv[1]) as memory:
    memory.import_path(sys.argv[2])
"""


def _run(*command: str) -> str:
    return subprocess.run([sys.executable, *command], check=True, capture_output=True, text=True).stdout


def measure_cold(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Measure whole processes of the command."""
    size, runs = min(COLD, max(sizes)), stores.effort.processes
    db = str(stores.build(size).db)
    command = ("-m", "memlite", "--db", db, "search", QUESTION)

    def cold(name: str, target: str, *args: str) -> Figure:
        return milliseconds(name, [partial(_run, *args)] * (runs + 1), target, warm_up=1)

    return [
        cold("floor: python -c pass", "", "-c", "pass"),
        cold("memlite --help", "150", "-m", "memlite", "--help"),
        cold(f"{size:,} memlite search, lexical", "200", *command, "--mode", "verbatim"),
        cold(f"{size:,} memlite search, cross-layer", "800", *command),
        _import("memlite.memory", runs),
        _import("memlite.cli", runs),
    ]


def _import(module: str, runs: int) -> Figure:
    """Return what importing a module takes by Python's own account, with the five dearest modules it brings."""
    whole, lines = min(_listed(module) for _ in range(runs))
    note = ", ".join(f"{name} {own / 1000:.1f}" for own, name in sorted(lines, reverse=True)[:5])
    return Figure(f"import {module}, best of {runs}", whole / 1000, "ms", note=f"by itself: {note}")


def _listed(module: str) -> tuple[int, list[tuple[int, str]]]:
    """Return the microseconds an import takes in all, and those of each module without what it imports itself."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    lines = [line.removeprefix("import time:").split("|") for line in listed.splitlines() if "[us]" not in line]
    own = [(int(line[0]), line[2].strip()) for line in lines]
    return sum(time for time, name in own if not name.startswith(("_frozen", "site", "encodings"))), own


def measure_memory(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Measure the largest resident memory of a process that searches, and of one that imports a large file.

    Only where the system tells it (Linux); elsewhere there are no figures.
    """
    if not Path("/proc/self/status").exists():
        return []
    size = max(sizes)
    db = str(stores.build(size).db)
    search = SEARCH.format(questions=[QUESTION, "connection pool", "what did we say about E1042"])
    large = _large_file(stores, size)
    fresh = stores.folder / "memory.db"
    figures = [
        Figure("floor: python alone", _peak(""), "MB"),
        Figure(f"{size:,} three searches, auto", _peak(search, db), "MB", "300"),
        Figure(f"import of {large.stat().st_size / 1e6:,.0f} MB", _peak(IMPORT, str(fresh), str(large)), "MB"),
    ]
    for left in stores.folder.glob("memory.db*"):
        left.unlink()
    return figures


def _peak(work: str, *args: str) -> float:
    return round(float(json.loads(_run("-c", PEAK.format(work=work), *args))), 1)


def _large_file(stores: Stores, size: int) -> Path:
    """Return one large file: the generated one several times, each time under other names."""
    source = stores.source(size)
    large = stores.folder / f"large-{stores.effort.large_file}.jsonl"
    if not large.exists():
        text = source.read_bytes()
        with large.open("wb") as out:
            copy = 0
            while out.tell() < stores.effort.large_file:
                out.write(text.replace(b'"conversation-', b'"copy-%d-' % copy))
                copy += 1
    return large
