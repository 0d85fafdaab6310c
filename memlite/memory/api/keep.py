"""Keep: what looks after a store."""

from __future__ import annotations

from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.types.report import DistillReport, Status


class Keep(Opened):
    """Methods that look after a store."""

    def reindex(self, *, vectors: bool = False, progress: parts.working.Progress | None = None) -> DistillReport:
        """Make the keyword indexes again from the text, and the vectors that are missing; with `vectors`, all of them.

        `vectors` also takes the store over to another embedding model.

        :raises EmbedderMismatch: the store's vectors are another model's and `vectors` is False
        """
        return parts.keeping.reindex(self._store, self._embedder, self._rules, progress, vectors=vectors)

    def status(self) -> Status:
        """Return what the store holds and what still waits to be done."""
        return parts.keeping.status(self._store, self._embedder)
