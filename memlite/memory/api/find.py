"""Out: what finds and shows."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from typing import get_args

from memlite import pack
from memlite.errors import UsageError
from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.retrieve import analyse, asked, plans
from memlite.retrieve.search import search
from memlite.text import times
from memlite.text.clean import clean
from memlite.text.slug import slug
from memlite.types.query import Filters, Recall, Results, Sort
from memlite.types.records import RecordOrder, RecordType, RecordView
from memlite.types.report import ExchangeView, Packed


class Find(Opened):
    """Methods that find and show."""

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
        as_of: str = "",
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

        Of claims that others took the place of, what holds now stands first; what held on the day `as_of` where that is
        given, and what held before where the question asks for it (`where did I live before?`).

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
            project=clean(project),
            source=clean(source),
            conversation=clean(conversation),
            since=times.resolve(since, zone=zone)[0] if since else "",
            until=times.resolve(until, zone=zone)[1] if until else "",
            file=clean(file),
            room=slug(room) or clean(room),  # a key without a letter is no room's, but not no filter either
            speaker=clean(speaker),
            type=type,
            min_messages=min_messages,
            include_automated=include_automated,
            as_of=times.resolve(as_of, zone=zone)[0] if as_of else "",
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
        as_of: str = "",
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
        of the keywords; the words of `text` must all occur. `active=False` also gives what a later record superseded,
        `as_of` what was believed on a day, whether or not it still holds.
        `order` is `newest` or `oldest` by when it was said, or `time` by when it happened.

        :raises UsageError: no such type or order, a negative count, or a date in no known form
        """
        return parts.listing.list_records(
            self._store,
            text=text,
            type=type,
            active=active,
            as_of=as_of,
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
        as_of: str = "",
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
            as_of=as_of,
        )
        return pack.pack(found.hits, budget)
