"""memlite: long-term memory for AI agents in one SQLite file.

    import memlite

    with memlite.open("memory.db") as memory:
        memory.add([{"role": "user", "content": "..."}], conversation="c1")
        memory.distill()
        for hit in memory.search("connection pool timeout"):
            print(hit.score, hit.snippet)
"""

from memlite.errors import MemliteError
from memlite.memory import Memory

__all__ = ["Memory", "MemliteError", "open"]
__version__ = "0.1.0"

open = Memory
