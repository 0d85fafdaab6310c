"""A model is tried out in a process of its own before it runs in the caller's.

llama.cpp is native code: a damaged file can make it abort, a build for another processor ends in an illegal
instruction, and either would take the caller down. So the first use of a file with a version of llama.cpp on a machine
happens in a child, which loads the model, reads a few tokens and writes a few. What works is remembered by the file's
stamp. What fails is not: memory may be free again, a busy machine quiet, the library rebuilt, and it costs seconds.
"""

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from time import perf_counter

import msgspec

from memlite import config
from memlite.errors import ModelUnusable
from memlite.models.machine import check_fits, thread_count
from memlite.models.native import require_llama, shown
from memlite.models.stamp import recall, remember, stamp

CONTEXT, TO_READ, TO_WRITE = 256, 32, 8
TEXT = "The kettle stood on the stove and the rain ran down the window of the kitchen all afternoon. " * 8
# The child finds the same packages as its parent, whatever put them on the parent's path.
CHILD = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from memlite.models.probe import child; child()"
LOG_LINES = 4
PATIENCE_S, BYTES_A_SECOND = 120.0, 20e6
"""How long a child may take: so long, and as long as a slow disk needs for the file. SmolLM2 took from 1 to 15 s on two
cores that others used too: its threads wait for each other."""
NEXT = {
    "SIGILL": "rebuild llama-cpp-python on this machine: the installed one is made for another processor",
    "SIGKILL": "free memory or take a smaller model: most often the system ends what takes too much",
}


class Probed(msgspec.Struct, frozen=True):
    """How fast a model ran when it was tried out."""

    load_seconds: float
    read_per_second: float
    """Tokens of a prompt."""
    written_per_second: float
    """Tokens of an answer."""


def probe(
    path: Path, *, threads: int | None = None, remember_in: Path | None = None, again: bool = False
) -> Probed | None:
    """Try the model out unless that is remembered to have worked (or `again`); raise ModelUnusable if it does not run.

    None means that it could not be tried. An application that is frozen, or has Python embedded, has no interpreter to
    start: `sys.executable` is the application, and to start it once more would be worse than a crash. There the model
    is used as it is.
    """
    require_llama()
    check_fits(path)
    place = stamp(path, remember_in, "probed", _llama_version(), platform.node())
    known = None if again else recall(place, Probed)
    if known is not None or not _has_interpreter():
        return known
    found = _run(path, thread_count(threads), PATIENCE_S + path.stat().st_size / BYTES_A_SECOND)
    remember(place, found)
    return found


def child() -> None:
    """Be the child: `sys.argv` holds the module path, the model and the threads; the finding goes to stdout."""
    answer = os.dup(1)
    os.dup2(2, 1)  # whatever native code prints belongs to the log
    config.silence_backtraces()
    sys.tracebacklimit = 0  # of an exception its last line, so that the log's lines before it are not lost
    from llama_cpp import Llama

    path, threads = sys.argv[2], int(sys.argv[3])
    began = perf_counter()
    # With `verbose` the log goes to stderr, also the line that says why the process is about to be aborted.
    model = Llama(path, n_ctx=CONTEXT, n_threads=threads, n_threads_batch=threads, verbose=True)
    tokens = model.tokenize(TEXT.encode())[:TO_READ]
    loaded = perf_counter()
    steps: Iterator[int] = model.generate(tokens, temp=0.0)
    next(steps)
    read = perf_counter()
    written = sum(1 for _ in islice(steps, TO_WRITE))
    done = perf_counter()
    found = Probed(loaded - began, len(tokens) / (read - loaded), written / (done - read))
    os.write(answer, msgspec.json.encode(found))


def _run(path: Path, threads: int, patience: float) -> Probed:
    command = [sys.executable, "-c", CHILD, json.dumps(sys.path), str(path), str(threads)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired as error:
        cause = f"it was tried out for {patience:.0f} s and did not come to an end"
        raise _failure(path, cause, error.stderr, "another model file, or a quieter machine") from error
    except OSError as error:
        raise ModelUnusable(
            f"the model file {path} cannot be tried out: {sys.executable} does not start ({error.strerror}); "
            "next: run memlite in an ordinary Python"
        ) from error
    if done.returncode:
        cause, following = _ending(done.returncode)
        raise _failure(path, cause, done.stderr, following)
    try:
        return msgspec.json.decode(done.stdout, type=Probed)
    except msgspec.DecodeError as error:
        raise _failure(path, "it ended before it had written a token", done.stderr, "another model file") from error


def _ending(code: int) -> tuple[str, str]:
    """Return how a child ended, and what to do about it."""
    if code == 1:
        return "llama.cpp cannot load it", "get the file again, or update llama-cpp-python"
    try:
        name = signal.Signals(-code).name
    except ValueError:  # Windows has no signals: 0xC000001D is its illegal instruction
        name = f"exit {code & 0xFFFFFFFF:#x}"
    return f"llama.cpp crashed ({name})", NEXT.get(name, "get the file again, or update llama-cpp-python")


def _failure(path: Path, cause: str, log: bytes | None, following: str) -> ModelUnusable:
    lines = [line for line in (log or b"").decode(errors="replace").splitlines() if line.strip(" .")]
    said = f"; last said: {shown(lines[-LOG_LINES:])}" if lines else ""
    return ModelUnusable(f"the model file {path} does not run: {cause}{said}; next: {following}")


def _llama_version() -> str:
    try:
        return version("llama-cpp-python")
    except PackageNotFoundError:  # a frozen application may carry the package without its metadata
        return ""


def _has_interpreter() -> bool:
    name = Path(sys.executable or "").name.casefold()
    return not getattr(sys, "frozen", False) and name.startswith(("python", "pypy"))
