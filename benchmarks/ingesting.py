"""Text on its way in: imports, adds, distilling, embedding, and what the file weighs after."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import apsw

from benchmarks.figures import Figure, milliseconds, timed
from benchmarks.generate import read_jsonl, sample_messages, write_jsonl
from benchmarks.stores import build
from memlite.memory import Memory
from memlite.models import load_embedder

INGESTED, DISTILLED, EMBEDDED = 15_000, 2_000, 300
ADDED, ADDED_TO = 400, 15_000
FLOOR = "create virtual table floor using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def measure_ingest(folder: Path, models: Path, sizes: Sequence[int]) -> list[Figure]:
    """Measure importing, distilling and embedding, each alone, on as many exchanges as fit the patience."""
    count = min(INGESTED, max(sizes))
    source = write_jsonl(folder / f"conversations-{count}.jsonl", count)
    distilled = write_jsonl(folder / f"conversations-{DISTILLED}.jsonl", DISTILLED)
    embedder = load_embedder(models)
    embedder.embed_query("to load the model")
    with _scratch() as scratch:
        with Memory(scratch / "import.db") as memory:
            taken = timed(lambda: memory.import_path(source))
        floor = timed(lambda: _plain_fts5(scratch / "floor.db", source))
        with Memory(scratch / "distil.db", embedder=embedder) as memory:
            memory.import_path(distilled)
            distilling = timed(lambda: memory.distill(embed=False))
            texts = _texts(scratch / "distil.db")
            embedding = timed(lambda: embedder.embed(texts))
    return [
        Figure("import, file to keyword-searchable", round(count / taken), "exchanges/s", "5,000"),
        Figure("floor: the same text into one FTS5 table", round(count / floor), "exchanges/s"),
        Figure("import over floor", round(taken / floor, 2), "times"),
        Figure("extractive distilling, no embedding", round(DISTILLED / distilling), "exchanges/s", "300"),
        Figure("embedding of distilled texts", round(len(texts) / embedding), "texts/s"),
    ]


def _texts(db: Path) -> list[str]:
    con = apsw.Connection(str(db), flags=apsw.SQLITE_OPEN_READONLY)
    rows: list[Any] = con.execute(
        "select exchange_core || char(10) || specific_context from palace_object order by exchange_id limit ?",
        (EMBEDDED,),
    ).fetchall()
    con.close()
    return [text for (text,) in rows]


def _plain_fts5(db: Path, source: Path) -> None:
    """Put question and answer of each exchange into a table of their own kind, in one transaction a thousand."""
    con = apsw.Connection(str(db))
    con.pragma("journal_mode", "wal")
    con.execute(FLOOR)
    contents = [message.content for message in read_jsonl(source)]
    texts = [f"{asked}\n\n{answered}" for asked, answered in zip(contents[::2], contents[1::2], strict=True)]
    for start in range(0, len(texts), 1000):
        with con:
            con.executemany("insert into floor (text) values (?)", ((text,) for text in texts[start : start + 1000]))
    con.close()


def measure_add(folder: Path, models: Path, sizes: Sequence[int]) -> list[Figure]:
    """Measure adding one exchange, durable on return, to a store that holds many."""
    size = min(ADDED_TO, max(sizes))
    exchanges = sample_messages(ADDED)
    with _scratch() as scratch:
        copyfile(build(folder, size, models).db, scratch / "add.db")
        with Memory(scratch / "add.db") as memory:
            calls = (
                lambda messages=messages, number=number: memory.add(messages, conversation=f"new-{number // 2}")
                for number, messages in enumerate(exchanges)
            )
            added = milliseconds(f"add one exchange to {size:,}", calls, "5, p95 10", warm_up=10)
        syncs = milliseconds("floor: one durable row", _durable_rows(scratch / "floor.db"), warm_up=10)
    return [added, syncs]


def _durable_rows(db: Path) -> Iterator[Callable[[], object]]:
    con = apsw.Connection(str(db))
    con.pragma("journal_mode", "wal")
    con.execute("create table floor (text)")
    text = "x" * 1000
    yield from (lambda: con.execute("insert into floor values (?)", (text,)) for _ in range(ADDED))
    con.close()


def measure_size(folder: Path, models: Path, sizes: Sequence[int]) -> list[Figure]:
    """Compare the file with what was imported, with objects and vectors and without; name what is largest."""
    figures = []
    for size in sizes:
        built = build(folder, size, models)
        imported = built.source.stat().st_size
        con = apsw.Connection(str(built.db), flags=apsw.SQLITE_OPEN_READONLY)
        said: int = con.execute("select sum(octet_length(content)) from message").get
        parts: list[Any] = con.execute(
            "select name, sum(pgsize) from dbstat group by name order by 2 desc limit 8"
        ).fetchall()
        con.close()
        whole = built.db.stat().st_size
        with _scratch() as scratch:
            with Memory(scratch / "plain.db") as memory:
                memory.import_path(built.source)
            plain = (scratch / "plain.db").stat().st_size
        note = ", ".join(f"{name} {part / said:.2f}" for name, part in parts)
        figures += [
            Figure(f"{size:,} whole store over the file imported", round(whole / imported, 2), "times", "2.5"),
            Figure(f"{size:,} whole store over what was said", round(whole / said, 2), "times", note=note),
            Figure(
                f"{size:,} without objects and vectors, over the file imported", round(plain / imported, 2), "times"
            ),
        ]
    return figures
