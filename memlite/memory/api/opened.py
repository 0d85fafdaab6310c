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
        key: str | None = None,
    ) -> None:
        """Open the store at `path`, making it when it is not there.

        `embedder` replaces the default embedding model, `generator` the default language model; `rules` says how
        conversations are cut into exchanges. `key` opens an encrypted store, and makes a new one encrypted; without it
        the key of an encrypted one is looked for in MEMLITE_KEY and in the system's keyring.

        :raises StoreMissing: no file there and `create` is False, or its folder does not exist
        :raises StoreDamaged: the file is not a memlite store or cannot be read
        :raises StoreLocked: the store is encrypted, and no key or a wrong one was found
        :raises StoreTooNew: the file was written by a newer memlite
        """
        self.path = Path(path).expanduser()
        key = parts.keys.find_key(self.path) if key is None else key
        self._store = Store(self.path, create=create, busy_timeout_ms=config.busy_timeout_ms(), key=key)
        self._embedder = self._embedder_at_hand(embedder)
        self._generator = generator
        self._rules = rules or Rules()

    @cached_property
    def _language_model(self) -> Generator:
        """The model that was handed in, or the default one, loaded once."""
        return self._load_generator()

    @property
    def is_exposed(self) -> bool:
        """Whether others on this machine may read or write the store's file."""
        return parts.surroundings.readable_by_others(self.path)

    @staticmethod
    def _embedder_at_hand(given: Embedder | None) -> Embedder:
        return given or load_embedder(config.cache_dir(), config.threads())

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
