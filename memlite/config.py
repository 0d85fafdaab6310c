"""Where things are: the only reader of the environment. Flag, then variable, then default; an empty one is unset."""

import os
from pathlib import Path

import platformdirs

from memlite.errors import UsageError

DEFAULT_BUSY_TIMEOUT_MS = 10_000


def store_path(given: str | Path | None = None) -> Path:
    """Return the store's path: `given`, else MEMLITE_DB, else memlite.db in the user's data folder."""
    chosen = given or os.environ.get("MEMLITE_DB")
    return Path(chosen).expanduser() if chosen else data_dir() / "memlite.db"


def data_dir() -> Path:
    """Return the user's data folder, where the store is unless another path is given."""
    return Path(platformdirs.user_data_dir("memlite"))


def cache_dir() -> Path:
    """Return the folder for what can be made again, such as the optimised embedding model."""
    return Path(os.environ.get("MEMLITE_CACHE") or platformdirs.user_cache_dir("memlite"))


def busy_timeout_ms() -> int:
    """Return how long a writer waits for another, from MEMLITE_BUSY_TIMEOUT (milliseconds)."""
    return _positive("MEMLITE_BUSY_TIMEOUT", DEFAULT_BUSY_TIMEOUT_MS)


def key() -> str:
    """Return MEMLITE_KEY, the key of encrypted stores, or ""."""
    return os.environ.get("MEMLITE_KEY", "")


def threads() -> int | None:
    """Return MEMLITE_THREADS, or None to let the model runtime choose."""
    return _positive("MEMLITE_THREADS", 0) or None


def model() -> str | None:
    """Return MEMLITE_MODEL, the name or path of a language model, or None."""
    return os.environ.get("MEMLITE_MODEL") or None


def wants_colour() -> bool:
    """Tell whether output to a terminal may be coloured; NO_COLOR (no-color.org) asks for none."""
    return not os.environ.get("NO_COLOR")


def silence_onnxruntime() -> None:
    """Keep onnxruntime from reporting home: its official builds do so unless told otherwise before the first import."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def silence_huggingface() -> None:
    """Keep huggingface_hub from reporting home, from looking for newer versions and from telling of every attempt.

    It reads this when it is imported first.
    """
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = os.environ["HF_HUB_DISABLE_UPDATE_CHECK"] = "1"
    os.environ.setdefault("HF_HUB_VERBOSITY", "error")


def silence_backtraces() -> None:
    """Keep llama.cpp from starting a debugger when it aborts: fifty lines of backtrace hide the one that says why."""
    os.environ["GGML_NO_BACKTRACE"] = "1"


def _positive(name: str, default: int) -> int:
    value = os.environ.get(name)
    if not value:
        return default
    if not value.isascii() or not value.isdigit():
        raise UsageError(f"{name} is {value!r}, not a whole number. Set it to a number of 0 or more, or unset it")
    return int(value)
