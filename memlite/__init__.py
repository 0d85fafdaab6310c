"""memlite: long-term memory for AI agents in one SQLite file.

import memlite

with memlite.open("memory.db") as memory:
    memory.add([{"role": "user", "content": "..."}], conversation="c1")
    memory.distill()
    for hit in memory.search("connection pool timeout"):
        print(hit.score, hit.snippet)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memlite.errors import MemliteError

if TYPE_CHECKING:
    from memlite.memory import Memory
    from memlite.segment import Rules

    open = Memory

__all__ = ["Memory", "MemliteError", "Rules", "open"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Loaded when asked for: `memlite --help` needs neither the store nor the models, and Python runs this file first.
    if name in ("Memory", "open"):
        return import_module("memlite.memory").Memory
    if name == "Rules":
        return import_module("memlite.segment").Rules
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
