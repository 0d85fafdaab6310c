"""What llama.cpp says while it works, kept out of the caller's stdout and stderr.

Native code logs without asking. llama-cpp-python can hide that only by pointing the file descriptors 1 and 2 of the
whole process at /dev/null while a model loads, which swallows what other threads print meanwhile. Here the log goes to
a collector through the hook llama.cpp has for it, and the descriptors stay as they are. The last lines are what a
person needs when a model does not load.
"""

import ctypes
from collections import deque
from contextlib import nullcontext
from functools import cache
from importlib.util import find_spec

from memlite.errors import ModelUnusable

KEPT_LINES = 20


class NativeLog:
    """The last lines of the log. Lines arrive in pieces, and from several threads."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._begun = ""

    def add(self, piece: str) -> None:
        """Take the next piece of the log."""
        *lines, self._begun = (self._begun + piece).split("\n")
        self._lines.extend(line for line in lines if line.strip(" ."))

    def last(self, count: int = KEPT_LINES) -> list[str]:
        """Return the last lines, oldest first."""
        return [*self._lines][-count:]


@cache
def native_log() -> NativeLog:
    """Send the log of llama.cpp to a collector from now on, and return that. Call it before a model is loaded."""
    require_llama()
    import llama_cpp

    log = NativeLog()

    @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]
    def collect(level: int, text: bytes, user_data: object) -> None:
        log.add(text.decode(errors="replace"))

    # Native code may log after Python's modules are gone: this reference is never given back.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(collect))
    llama_cpp.llama_log_set(collect, ctypes.c_void_p(0))
    for module in (llama_cpp.llama, llama_cpp._internals):
        module.suppress_stdout_stderr = lambda disable=True: nullcontext()
    return log


def require_llama() -> None:
    """Raise ModelUnusable where llama-cpp-python is not installed; it is not imported."""
    if find_spec("llama_cpp") is None:
        raise ModelUnusable("language models run in llama-cpp-python, not installed; next: pip install 'memlite[llm]'")


def shown(lines: list[str]) -> str:
    """Return log lines as part of a message: in one line, with nothing in it that steers a terminal."""
    joined = " | ".join(line.strip() for line in lines)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in joined)
