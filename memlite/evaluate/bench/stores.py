"""Stores of generated conversations, made once for a run: imported, distilled, read for records and embedded.

A benchmark of large stores hands in another way to fill them, since to embed 100,000 exchanges takes an hour of two
cores. Speed and size do not depend on what is said; quality does, and is measured elsewhere, on real conversations.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from memlite.evaluate.bench.generate import write_jsonl
from memlite.memory import Memory
from memlite.models import load_embedder
from memlite.models.base import Embedder

Fill = Callable[[Path, Path, Embedder], None]
"""Makes a store at the first path of the conversations at the second."""


class Effort(Struct, frozen=True):
    """How much is done for each figure: by default so little that all of them take a minute."""

    queries: int = 40
    warm_up: int = 5
    processes: int = 3
    added: int = 60
    ingested: int = 1_000
    """Exchanges that are imported, at most as many as the largest store has."""
    distilled: int = 400
    embedded: int = 100
    large_file: int = 10_000_000
    """Bytes of the file whose import is watched for memory."""


FULL = Effort(
    queries=100,
    warm_up=10,
    processes=9,
    added=400,
    ingested=15_000,
    distilled=2_000,
    embedded=300,
    large_file=200_000_000,
)


class Built(Struct, frozen=True):
    """A store that is ready to be searched, and the file it was made from."""

    exchanges: int
    db: Path
    source: Path


def fill(db: Path, source: Path, embedder: Embedder) -> None:
    """Make a store by the shipped path alone."""
    with Memory(db, embedder=embedder, key="") as memory:
        memory.import_path(source)
        memory.distill()


class Stores(Struct, frozen=True):
    """The folder that holds what is generated, and how much is to be done."""

    folder: Path
    models: Path
    """The cache of optimised models."""
    effort: Effort = Effort()
    fill: Fill = fill
    version: str = ""
    """Names stores that another schema has made, where the folder is kept."""

    def embedder(self) -> Embedder:
        """Return the embedding model, loaded, so that no figure holds the loading."""
        embedder = load_embedder(self.models)
        embedder.embed_query("to load the model")
        return embedder

    def source(self, exchanges: int) -> Path:
        """Return a file of so many generated exchanges."""
        return write_jsonl(self.folder / f"conversations-{exchanges}.jsonl", exchanges)

    def build(self, exchanges: int) -> Built:
        """Return the store of so many exchanges, making it when the folder does not hold it."""
        source = self.source(exchanges)
        db = self.folder / f"store-{exchanges}{self.version}.db"
        if not db.exists():
            part = db.with_suffix(".part")
            for left in self.folder.glob(f"{part.name}*"):  # of a run that was killed: also its write-ahead log
                left.unlink()
            self.fill(part, source, load_embedder(self.models))
            part.rename(db)
        return Built(exchanges, db, source)
