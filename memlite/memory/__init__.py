"""Memory: one method for each thing a user can do with a store."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from datetime import date, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, get_args

from memlite import config, pack
from memlite.errors import UsageError
from memlite.memory import parts
from memlite.models import load_embedder
from memlite.models.base import Embedder, Generator
from memlite.retrieve import analyse, asked, plans
from memlite.retrieve.search import search
from memlite.segment import Rules
from memlite.store import dense, tasks, upgrades
from memlite.store.connection import Store
from memlite.text import times
from memlite.text.clean import clean
from memlite.text.slug import slug
from memlite.types.query import Filters, Recall, Results, Sort
from memlite.types.records import RecordOrder, RecordType, RecordView
from memlite.types.report import DistillReport, ExchangeView, ImportReport, ObjectsReport, Packed, Status

DEFAULT_CONVERSATION = "default"


class Memory:
    """A store and everything that can be done with it. Use from several threads and processes is safe."""

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

    # -- in --

    def add(
        self,
        messages: Iterable[Mapping[str, object]],
        *,
        conversation: str = DEFAULT_CONVERSATION,
        project: str = "",
        title: str = "",
    ) -> ImportReport:
        """Store messages; they are durable and findable by keyword on return, and wait to be distilled.

        Each is `{"role" or "speaker": ..., "content": ..., "timestamp"?: ..., "id"?: ...}`. Messages that the
        conversation holds already are not stored again.
        """
        return parts.files.add_messages(
            self._store, self._rules, messages, conversation=conversation, project=project, title=title
        )

    def import_path(
        self, path: str | Path, *, subagents: bool = False, progress: parts.files.Progress | None = None
    ) -> ImportReport:
        """Import a transcript, or every transcript under a folder; what is stored already is not stored again.

        `subagents` takes in sub-agents' transcripts too. `progress` is called with (path, files done, files in all).

        :raises BadTranscript: there is nothing at the path
        """
        return parts.files.import_path(
            self._store, self._rules, Path(path).expanduser(), subagents=subagents, progress=progress
        )

    def import_stream(self, stream: BinaryIO, *, name: str = "stdin") -> ImportReport:
        """Import a transcript from a seekable stream; `name` stands in for a conversation id it does not give.

        :raises BadTranscript: it is in no format that memlite reads
        """
        return parts.files.import_stream(self._store, self._rules, stream, name)

    # -- think --

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

    # -- out --

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        mode: str = "auto",
        fusion: str = "",
        fields: str = "all",
        project: str = "",
        source: str = "",
        conversation: str = "",
        since: str = "",
        until: str = "",
        zone: tzinfo | None = None,
        file: str = "",
        room: str = "",
        speaker: str = "",
        type: str = "",
        min_messages: int = 0,
        group: str = "",
        include_automated: bool = False,
        with_tools: bool = False,
        sort: Sort = "relevance",
        recall: Recall = "auto",
        asked_at: date | None = None,
        analyser: str = "rules",
    ) -> Results:
        """Return the exchanges that answer `text`, best first.

        `"a phrase"` and `+word` must occur, `-word` must not. The filters narrow every route before it ranks. `since`
        and `until` take dates such as `2026-05` or `last week`, both included, in `zone` (by default the machine's).
        `file` is a path or its end, `room` a room's key, `type` the type of a record (`fact`, `episodic`, `profile`).
        `with_tools` also looks into tool calls and their output. `group="conversation"` gives the best exchange of each
        conversation.

        `asked_at`, a day or an aware datetime, is what `last week` in the question is reckoned from, by default now.
        `recall` says when a hit carries what the assistant said: `auto` when the question asks for that, else `off` or
        `always`.

        `analyser="gguf"` has the language model say what is asked, which takes a second or more; the rules take less
        than a thousandth of that.

        `mode` names a plan (`auto`, `cross`, `verbatim`, `distilled`, `records`) or is made of routes, such as
        `bm25:verbatim+dense:verbatim`. `fusion` takes the place of its own (`blend`, `combmnz`, `hybrid`, `rrf`,
        `weighted`). `fields` says what of an object `bm25:distilled` looks at (`core`, `core+files`, `core+rooms`,
        `all`); of a record, `bm25:records` looks at the content alone unless it is `all`.

        :raises UsageError: no such mode, fusion, fields, group, sort, type, recall or analyser, a negative count, or a
            date in no known form
        :raises ModelUnusable: the analyser is `gguf` and the model cannot be used
        """
        if limit < 0 or offset < 0:
            raise UsageError(f"limit {limit}, offset {offset}: counts are 0 or more")
        plans.known(sort, "sort", get_args(Sort))
        plans.known(type, "type", ("", *get_args(RecordType)))
        plans.known(recall, "recall", get_args(Recall))
        plans.known(analyser, "analyser", ("rules", "gguf"))
        filters = Filters(
            project=project,
            source=source,
            conversation=conversation,
            since=times.resolve(since, zone=zone)[0] if since else "",
            until=times.resolve(until, zone=zone)[1] if until else "",
            file=file,
            room=slug(room) or room,  # a key without a letter is no room's, but not no filter either
            speaker=speaker,
            type=type,
            min_messages=min_messages,
            include_automated=include_automated,
        )
        # An argument of a shell may hold half a surrogate pair, which neither SQLite nor JSON can.
        read = asked.read if analyser == "rules" else parts.model_analyser.read_with(self._language_model)
        query = analyse.analyse(clean(text), filters, asked_at or datetime.now(zone).astimezone(zone), read)
        plan = plans.get_plan(mode, fusion=fusion, fields=fields, group=group, with_tools=with_tools)
        with self._store.reading() as con:
            return search(con, query, plan, self._embedder, limit=limit, offset=offset, sort=sort, reply=recall)

    def get(self, exchange_id: int) -> ExchangeView:
        """Return one exchange, verbatim, with its object and its records.

        :raises NotFound: the store has no such exchange
        """
        return parts.viewing.get_exchange(self._store, exchange_id)

    def records(
        self,
        text: str = "",
        *,
        type: str = "",
        active: bool = True,
        since: str = "",
        until: str = "",
        at: str = "",
        zone: tzinfo | None = None,
        where: str = "",
        keyword: str = "",
        speaker: str = "",
        project: str = "",
        conversation: str = "",
        order: RecordOrder = "newest",
        limit: int | None = None,
        offset: int = 0,
    ) -> tuple[RecordView, ...]:
        """Return dimensional records: one claim each, of the type `fact`, `episodic` or `profile`.

        `since`, `until` and `at` ask when it happened or holds, not when it was said, and take the dates of `search`;
        a record that knows no time passes none of them. `where` is a part of the location, `keyword` one or more words
        of the keywords; the words of `text` must all occur. `active=False` also gives what a later record superseded.
        `order` is `newest` or `oldest` by when it was said, or `time` by when it happened.

        :raises UsageError: no such type or order, a negative count, or a date in no known form
        """
        return parts.listing.list_records(
            self._store,
            text=text,
            type=type,
            active=active,
            since=since,
            until=until,
            at=at,
            zone=zone,
            where=where,
            keyword=keyword,
            speaker=speaker,
            project=project,
            conversation=conversation,
            order=order,
            limit=limit,
            offset=offset,
        )

    def context(
        self,
        text: str,
        *,
        budget: int = 2000,
        limit: int = 20,
        mode: str = "auto",
        project: str = "",
        source: str = "",
        since: str = "",
        until: str = "",
        file: str = "",
        room: str = "",
        speaker: str = "",
        type: str = "",
        recall: Recall = "auto",
        asked_at: date | None = None,
    ) -> Packed:
        """Return what the store knows about a question as text for a prompt, never over `budget` tokens.

        Tokens are estimated to the high side (memlite.text.tokens). The other arguments are those of `search`.
        """
        found = self.search(
            text,
            limit=limit,
            mode=mode,
            project=project,
            source=source,
            since=since,
            until=until,
            file=file,
            room=room,
            speaker=speaker,
            type=type,
            recall=recall,
            asked_at=asked_at,
        )
        return pack.pack(found.hits, budget)

    # -- keep --

    def reindex(self, *, vectors: bool = False, progress: parts.working.Progress | None = None) -> DistillReport:
        """Make the keyword indexes again from the text, and the vectors that are missing; with `vectors`, all of them.

        `vectors` also takes the store over to another embedding model.

        :raises EmbedderMismatch: the store's vectors are another model's and `vectors` is False
        """
        return parts.keeping.reindex(self._store, self._embedder, self._rules, progress, vectors=vectors)

    def status(self) -> Status:
        """Return what the store holds and what still waits to be done."""
        return parts.keeping.status(self._store, self._embedder)

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
