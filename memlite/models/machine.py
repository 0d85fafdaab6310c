"""What of this machine a language model may use."""

import os
from pathlib import Path

from memlite.errors import ModelUnusable

MOST_THREADS = 8
"""Writing tokens waits for memory, not for cores: more threads only take them from others."""
# Beyond the file: 160 MB for SmolLM2 with room for 4,096 tokens (97 MB of weights, 258 MB resident); a quarter of the
# weights more for the larger caches of larger models.
MARGIN_BYTES = 256 * 2**20


def thread_count(given: int | None = None) -> int:
    """Return how many threads a language model gets: `given`, or one for each core this process may use."""
    return given or min(MOST_THREADS, cores())


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def needed_memory(size_bytes: int) -> int:
    """Return about how much memory it takes to run a model whose file has this size."""
    return size_bytes + size_bytes // 4 + MARGIN_BYTES


def available_memory() -> int | None:
    """Return how many bytes of memory a process may still take, or None where the system does not say (Windows).

    macOS tells only how much there is in all. A limit set on a container counts where it is lower.
    """
    limits = [_meminfo(), _whole(), _container()]
    return min((limit for limit in limits if limit is not None), default=None)


def check_fits(path: Path) -> None:
    """Raise ModelUnusable where the model of this file is too big for the memory there is."""
    try:
        needed, available = needed_memory(path.stat().st_size), available_memory()
    except OSError as error:
        raise ModelUnusable(f"cannot read the model file {path} ({error.strerror}); next: check the path") from error
    if available is not None and needed > available:
        raise ModelUnusable(
            f"the model file {path} is too big for the memory: it needs about {needed / 1e6:,.0f} MB, "
            f"{available / 1e6:,.0f} MB are free; next: a smaller model or a finer quantisation, or free memory"
        )


def _meminfo() -> int | None:
    try:
        rows = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(row.split()[1]) * 1024 for row in rows if row.startswith("MemAvailable:")), None)


def _whole() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _container() -> int | None:
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return None
    return int(limit) if limit.isdigit() else None
