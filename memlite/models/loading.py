"""From what a user calls a model to one that runs."""

from pathlib import Path

from memlite import config
from memlite.models.base import Generator
from memlite.models.catalog import describe
from memlite.models.llama import LlamaGenerator
from memlite.models.probe import probe


def load_generator(model: str | None = None, threads: int | None = None) -> Generator:
    """Return the language model of this name or path, else of MEMLITE_MODEL, else the bundled one.

    A file that has not been used before is tried out in a process of its own first.

    :raises ModelUnusable: it is missing, no GGUF model, too big for the memory, or does not run
    """
    info = describe(model)
    probe(Path(info.path), threads=threads, remember_in=config.cache_dir())
    return LlamaGenerator(info, threads=threads)
