"""What every method works on: an open store, and the models beside it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from memlite import config
from memlite.memory import parts
from memlite.models import load_embedder
from memlite.models.base import Embedder, Generator
from memlite.segment import Rules
from memlite.store.connection import Store


class Opened:
    """An open store, its embedder and its language model."""

    def __init__(
        self,
        path: str | Path,
        *,
        create: bool = True,
        embedder: Embedder | None = None,
        generator: Generator | None = None,
        rules: Rules | None = None,
    ) -> None:
        """Open the store at `path`, making it when it is not there.

        `embedder` replaces the default embedding model, `generator` the default language model; `rules` says how
        conversations are cut into exchanges.

        :raises StoreMissing: no file there and `create` is False, or its folder does not exist
        :raises StoreDamaged: the file is not a memlite store or cannot be read
        :raises StoreTooNew: the file was written by a newer memlite
        """
        self.path = Path(path).expanduser()
        self._store = Store(self.path, create=create, busy_timeout_ms=config.busy_timeout_ms())
        self._embedder = embedder or load_embedder(config.cache_dir(), config.threads())
        self._generator = generator
        self._rules = rules or Rules()

    @cached_property
    def _language_model(self) -> Generator:
        """The model that was handed in, or the default one, loaded once."""
        return self._load_generator()

    def _load_generator(self, model: str | None = None, threads: int | None = None) -> Generator:
        if self._generator is not None and model is None:
            return self._generator
        return parts.loading.load_generator(model, threads or config.threads())

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
