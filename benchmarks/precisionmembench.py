"""Whether what was superseded stays out of the current records, and what is pinned stays in them.

    python benchmarks/precisionmembench.py [FOLDER OF THE SHARED DATA]

Each belief of PrecisionMemBench is told as one message of a conversation of its own, on the day the data gives. Only
the words and the day are told: that a belief is superseded or pinned is what memlite is held against. Its cases'
queries are then asked. The data's own pass rule wants scopes and pins from a memory that is told them, which memlite
is not, so that rule is not scored.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import memlite
from memlite.memory import Memory

DEPTH = 10
"""Exchanges looked at for each query."""


def main() -> None:
    """Print what became of the beliefs, and what the queries return."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "precisionmembench"
    beliefs = json.loads((data / "beliefs.seed.json").read_text())
    queries = [case["query"] for case in json.loads((data / "retrieval.cases.json").read_text()) if case.get("query")]
    with tempfile.TemporaryDirectory() as folder, memlite.open(Path(folder) / "beliefs.db") as memory:
        for belief in beliefs:
            tell(memory, belief)
        memory.distill()
        memory.update()
        print("| beliefs | told | with a record | with a current record |")
        print("|---|---|---|---|")
        print(row("superseded", memory, [belief for belief in beliefs if belief["superseded_by"]]))
        print(row("pinned", memory, [belief for belief in beliefs if belief["pinned"]]))
        print_returned(memory, beliefs, queries)


def tell(memory: Memory, belief: dict[str, Any]) -> None:
    """Add a belief as what the user said on the day it was made."""
    said = {"role": "user", "content": belief["content"], "timestamp": belief["created_at"]}
    memory.add([said, {"role": "assistant", "content": "Noted."}], conversation=belief["_id"])


def row(name: str, memory: Memory, beliefs: list[dict[str, Any]]) -> str:
    """Count the beliefs that have records, and those that have current ones."""
    any_, current = (
        sum(bool(memory.records(conversation=belief["_id"], active=active)) for belief in beliefs)
        for active in (False, True)
    )
    return f"| {name} | {len(beliefs)} | {any_} | {current} |"


def print_returned(memory: Memory, beliefs: list[dict[str, Any]], queries: list[str]) -> None:
    """Count the queries that return a superseded belief, and that as current."""
    gone = {belief["_id"] for belief in beliefs if belief["superseded_by"]}
    returned = current = 0
    for query in queries:
        found = [
            hit
            for hit in memory.search(query, mode="records", limit=DEPTH).hits
            if hit.conversation.external_id in gone
        ]
        returned += bool(found)
        current += any(matched.state == "active" for hit in found for matched in hit.records)
    print(f"\nOf {len(queries)} queries {returned} return a superseded belief, {current} return one as current.")


if __name__ == "__main__":
    main()
