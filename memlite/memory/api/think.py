"""Think: what makes objects, records and vectors of the text."""

from __future__ import annotations

import time
from typing import BinaryIO

from memlite.errors import UsageError
from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.store import dense, tasks, upgrades
from memlite.text import times
from memlite.types.report import DistillReport, ObjectsReport
from memlite.types.update import History, UpdateReport


class Think(Opened):
    """Methods that make something of the text."""

    def distill(
        self,
        *,
        engine: str = "extractive",
        model: str | None = None,
        strategy: str | None = None,
        limit: int | None = None,
        minutes: float | None = None,
        project: str = "",
        upgrade: bool = False,
        threads: int | None = None,
        embed: bool = True,
        progress: parts.working.Progress | None = None,
    ) -> DistillReport:
        """Make the objects, records and vectors that wait; with the engine `gguf`, have a local model better objects.

        The model (`model`: a name or a path) is given the exchanges that no model has tried yet, the newest, longest
        and least well kept first. A field that it cannot ground in the exchange stays as it is. Objects serve searches
        until better ones take their place. `strategy` says how the model is asked (`whole`, `fields`, `copy`, `choose`,
        `choose-freely`, `records`); without it, the number of its weights does. With `whole`, `fields` and `records` it
        then reads for records too, and adds to those of the rules what a message bears out.

        `limit` counts exchanges, for `gguf` those the model is given. After `minutes` the run stops between two
        exchanges; the next one goes on. `upgrade` also makes anew what an older version of the rules, another model or
        another prompt made. `progress` is called with (what: `distill`, `extract`, `embed`, `embed-record`, `upgrade`,
        `upgrade-record`; exchanges done, exchanges in all).

        :raises UsageError: there is no such engine or strategy
        :raises ModelUnusable: the model is missing or cannot be used
        :raises EmbedderMismatch: the store's vectors are another model's
        """
        deadline = None if minutes is None else time.monotonic() + 60 * minutes
        bounds = parts.working.Bounds(limit, deadline, project)
        embedder = self._embedder if embed else None
        if engine == "extractive":
            return parts.distilling.work(self._store, embedder, self._rules, bounds, progress, redo=upgrade)
        if engine != "gguf":
            raise UsageError(f"there is no engine {engine!r}. Choose: extractive, gguf")
        generator = self._load_generator(model, threads)
        chosen = parts.strategies.get_strategy(strategy, generator.info.parameters)
        return parts.upgrading.work(
            self._store, embedder, self._rules, generator, chosen, bounds, progress, again=upgrade
        )

    def export_waiting(
        self, stream: BinaryIO, *, project: str = "", limit: int | None = None, upgrade: bool = False
    ) -> int:
        """Write the exchanges that wait for a better object, one JSON line each, and return how many.

        Order, scope and `upgrade` are those of `distill`; the extractive object is in the line.
        """
        scope = upgrades.Scope(project=project, again=upgrade)
        return parts.external.export_waiting(self._store, stream, scope, limit)

    def import_objects(self, stream: BinaryIO, *, name: str = "stdin", embed: bool = True) -> ObjectsReport:
        """Take objects that were made elsewhere, one JSON line each, as far as the exchanges bear them out.

        A line is `{"exchange_id", "exchange_core"?, "specific_context"?, "rooms"?: [{"type", "key", "label",
        "relevance"?}], "model"?, "digest"?}`. `stream` must be seekable; `name` names it in the issues.

        :raises EmbedderMismatch: the store's vectors are another model's
        """
        return parts.external.import_objects(self._store, self._embedder if embed else None, stream, name)

    def embed(self, *, verbatim: bool = False, progress: parts.working.Progress | None = None) -> DistillReport:
        """Make the vectors that wait; with `verbatim`, from now on also those of what was said, word for word.

        Verbatim vectors serve the route `dense:verbatim`: they find a paraphrase of something an object leaves out, and
        cost five to ten times the time and room of the objects' own.

        :raises EmbedderMismatch: the store's vectors are another model's
        """
        if verbatim:
            with self._store.transaction() as con:
                # Also where nothing is stored yet: that there is an index is what has later imports ask for vectors.
                dense.adopt_fingerprint(con, "verbatim", self._embedder.fingerprint, times.now())
                tasks.ask_for_verbatim_vectors(con)
        return parts.distilling.work(self._store, self._embedder, self._rules, parts.working.VECTORS_ONLY, progress)

    def update(self, *, dry_run: bool = False, progress: parts.working.Progress | None = None) -> UpdateReport:
        """Hold every record against the others: what says the same, what takes another's place, what is over.

        New records are compared at the end of `distill`; this compares all, as after a change of the rules. A record
        that gives way is kept, with the time until which it held. An interrupted run goes on where it stopped. With
        `dry_run` nothing is changed. `progress` is called with (`update`, records done, records in all).

        :raises EmbedderMismatch: the store's vectors are another model's
        """
        return parts.updating.update(self._store, self._embedder, progress, dry_run=dry_run)

    def history(self, record_id: int) -> History:
        """Return every decision about a record and those merged into it, and the messages that they rest on.

        :raises NotFound: the store has no such record
        """
        return parts.updating.history(self._store, record_id)

    def revert(self, record_id: int) -> History:
        """Make a record active again that another took the place of; it stays so when records are compared again.

        :raises NotFound: the store has no such record
        :raises UsageError: it is active
        """
        return parts.updating.revert(self._store, record_id)
