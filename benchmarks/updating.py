"""How much `update` costs and saves: vectors avoided by the gate on real talk, and the time 10,000 records take.

    python benchmarks/updating.py [FOLDER OF THE SHARED DATA]

Beside the share of vectors avoided stand those of DimMem: 75.5 % on LongMemEval, 59.2 % on LoCoMo. Then every pair
of 400 records of one type is decided without the gate, and what only that finds is printed.
"""

import random
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

import memlite
from memlite.memory import Memory
from memlite.memory.updating import KINDS
from memlite.types.records import Record, RecordView
from memlite.types.update import KeepBoth
from memlite.update.decide import decide
from memlite.update.order import moment

SAMPLE = 400
"""Records of which every pair is decided, to see what the gate lets go by."""
ATTRIBUTES = ("timeout", "limit", "quota", "delay", "budget", "interval", "capacity", "threshold")


def main() -> None:
    """Print both tables."""
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    print("| talk | records | pairs | passed | vectors needed | avoided | merge | supersede | retract | keep | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("longmemeval/haystack4.json", "locomo"):
            with memlite.open(Path(folder) / f"{Path(name).stem}.db") as memory:
                memory.import_path(data / name)
                memory.distill()
                print(row(name, memory), flush=True)
                print_missed(memory)
        with memlite.open(Path(folder) / "many.db") as memory:
            fill(memory, 10_000)
            started = time.perf_counter()
            memory.distill(embed=False)
            print(f"\n10,000 messages distilled and compared as they came: {time.perf_counter() - started:.1f} s")
            print(row("made up", memory))


def row(name: str, memory: Memory) -> str:
    """Update a whole store and return what it cost as a row of the table."""
    found = memory.update()
    needed = found.embeddings_computed + found.embeddings_reused
    kinds = " | ".join(f"{found.decisions[kind]:,}" for kind in (*KINDS, "keep"))
    return (
        f"| {name} | {found.records:,} | {found.pairs:,} | {found.by_keywords:,} | {needed:,} "
        f"| {found.embeddings_avoided / found.records:.1%} | {kinds} | {found.seconds:.1f} |"
    )


def print_missed(memory: Memory) -> None:
    """Decide every pair of records of a type by its words, and print those that only this finds."""
    views = random.Random(1).sample(memory.records(active=False, order="oldest"), SAMPLE)
    through = {
        (step.old_id, step.new_id) for view in views for step in memory.history(view.id).steps if step.kind != "keep"
    }
    missed = []
    for one, other in combinations(views, 2):
        if one.type != other.type:
            continue
        old, new = sorted((one, other), key=lambda view: (moment(record(view)) or "", view.id))
        decision = decide(record(old), record(new))
        if not isinstance(decision, KeepBoth) and (old.id, new.id) not in through:
            missed.append((type(decision).__name__, decision.reason, old.content, new.content))
    print(f"\ngate off: {len(missed)} decisions more, {len(through)} with it", file=sys.stderr)
    for line in missed[:12]:
        print("  ", *line, sep=" | ", file=sys.stderr)


def record(view: RecordView) -> Record:
    """Return a stored record as it was extracted."""
    return Record(
        content=view.content,
        type=view.type,
        ply=0,
        start=0,
        end=1,
        speaker=view.speaker,
        said_at=view.said_at,
        time_start=view.time_start,
        time_end=view.time_end,
        location=view.location,
        keywords=view.keywords,
    )


def fill(memory: Memory, count: int) -> None:
    """Add settings of many services, each told several times with other values."""
    draw = random.Random(1)
    told: dict[str, list[dict[str, str]]] = {}
    for number in range(count):
        text = (
            f"The {draw.choice(ATTRIBUTES)} of the service s{draw.randrange(400)} is {draw.randrange(1, 500)} seconds."
        )
        at = f"2024-{number * 12 // count + 1:02}-{number % 28 + 1:02}T{number % 24:02}:00:00Z"
        message = {"role": "user", "content": text, "timestamp": at}
        told.setdefault(f"c{number % 97}", []).extend([message, {"role": "assistant", "content": "Noted."}])
    for conversation, messages in told.items():
        memory.add(messages, conversation=conversation)


if __name__ == "__main__":
    main()
