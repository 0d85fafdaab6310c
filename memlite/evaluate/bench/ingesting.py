"""Text on its way in: imports, adds, distilling, records, embedding, and what the file weighs after."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copyfile

from memlite.evaluate.bench.figures import Figure, milliseconds, ratio, timed
from memlite.evaluate.bench.generate import read_jsonl, sample_messages
from memlite.evaluate.bench.stores import Stores
from memlite.memory import Memory, floors

ADDED_TO = 15_000
ROW = "x" * 1000
"""About as much as an exchange of talk."""


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def measure_ingest(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Measure importing, distilling with records, and embedding, each alone."""
    effort = stores.effort
    count, distilled = (min(most, max(sizes)) for most in (effort.ingested, effort.distilled))
    source, smaller = stores.source(count), stores.source(distilled)
    texts = _said(source)
    embedder = stores.embedder()
    with _scratch() as scratch:
        with Memory(scratch / "import.db", key="") as memory:
            taken = timed(partial(memory.import_path, source))
        floor = timed(partial(floors.import_plainly, scratch / "floor.db", texts))
        with Memory(scratch / "distil.db", embedder=embedder, key="") as memory:
            memory.import_path(smaller)
            distilling = timed(partial(memory.distill, embed=False))
            records = sum(memory.status().records.values())
        with floors.indexes(scratch / "distil.db") as indexes:
            objects = indexes.distilled_texts(effort.embedded)
        embedding = timed(partial(embedder.embed, objects))
    return [
        Figure("import, file to keyword-searchable", round(count / taken), "exchanges/s", "5,000"),
        Figure("floor: the same text into one FTS5 table", round(count / floor), "exchanges/s"),
        Figure("import over floor", round(taken / floor, 2), "times"),
        Figure("objects and records by rules", round(distilled / distilling), "exchanges/s", "300"),
        Figure("records that came of it", round(records / distilling), "records/s"),
        Figure("embedding of distilled texts", round(len(objects) / embedding), "texts/s"),
    ]


def _said(source: Path) -> list[str]:
    """Return question and answer of each exchange of a generated file."""
    contents = [message.content for message in read_jsonl(source)]
    return [f"{asked}\n\n{answered}" for asked, answered in zip(contents[::2], contents[1::2], strict=True)]


def measure_add(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Measure adding one exchange, durable on return, to a store that holds many."""
    size = min(ADDED_TO, max(sizes))
    warm_up, added = stores.effort.warm_up, stores.effort.added
    with _scratch() as scratch:
        copyfile(stores.build(size).db, scratch / "add.db")
        with Memory(scratch / "add.db", key="") as memory:
            calls = (
                partial(memory.add, messages, conversation=f"new-{number // 2}")
                for number, messages in enumerate(sample_messages(added))
            )
            adding = milliseconds(f"add one exchange to {size:,}", calls, "5, p95 10", warm_up=warm_up)
        rows = floors.durable_rows(scratch / "floor.db", ROW, added)
        row = milliseconds("floor: one durable row", rows, warm_up=warm_up)
    return [adding, row, ratio("add over floor", adding, row)]


def measure_size(stores: Stores, sizes: Sequence[int]) -> list[Figure]:
    """Compare the file with what was imported, with objects, records and vectors and without; name what is largest."""
    figures = []
    for size in sizes:
        built = stores.build(size)
        imported = built.source.stat().st_size
        with floors.indexes(built.db) as indexes:
            said, largest = indexes.bytes_said(), indexes.largest_tables()
        whole = built.db.stat().st_size
        with _scratch() as scratch:
            with Memory(scratch / "plain.db", key="") as memory:
                memory.import_path(built.source)
            plain = (scratch / "plain.db").stat().st_size
        note = ", ".join(f"{name} {part / said:.2f}" for name, part in largest)
        figures += [
            Figure(f"{size:,} whole store over the file imported", round(whole / imported, 2), "times", "2.5"),
            Figure(f"{size:,} whole store over what was said", round(whole / said, 2), "times", note=note),
            Figure(f"{size:,} text and its index alone, over the file imported", round(plain / imported, 2), "times"),
        ]
    return figures
