"""Forget: what takes things out of a store for good."""

from __future__ import annotations

from datetime import tzinfo

from memlite.errors import UsageError
from memlite.memory import parts
from memlite.memory.api.opened import Opened
from memlite.text import times
from memlite.text.clean import clean
from memlite.text.search_terms import all_words
from memlite.types.forget import ForgetReport, Selection


class Forget(Opened):
    """Methods that forget."""

    def forget(
        self,
        *,
        conversation: str = "",
        exchange: int | None = None,
        record: int | None = None,
        project: str = "",
        source: str = "",
        since: str = "",
        until: str = "",
        zone: tzinfo | None = None,
        speaker: str = "",
        query: str = "",
        dry_run: bool = False,
    ) -> ForgetReport:
        """Forget what all of the arguments name: the text, what was made of it, and the bytes of both in the file.

        `source` is a format or the path of an imported file; `since` and `until` take the dates of `search`, of when it
        was said; `query` names the exchanges that hold all of its words, in what was said or in their tool calls.
        `record` stands alone: it forgets what one record states, and leaves what was said.

        What was forgotten is not stored again when it is imported again, unless that import allows it. Of an exchange
        that loses a part, the rest is made anew and waits for `distill`. With `dry_run` nothing is changed; the counts
        are those of the same work, done and taken back.

        :raises UsageError: nothing is named, a query without a word, a record beside something else, or a date in no
            known form
        :raises NotFound: the store has no such exchange or record
        """
        selection = Selection(
            conversation=clean(conversation),
            exchange=exchange,
            project=clean(project),
            source=clean(source),
            since=times.resolve(since, zone=zone)[0] if since else "",
            until=times.resolve(until, zone=zone)[1] if until else "",
            speaker=clean(speaker),
            match=all_words(clean(query)),
        )
        if query and not selection.match:
            raise UsageError(f"the query {query!r} has no word. Give some, or leave it out")
        if record is None:
            return parts.forgetting.forget(self._store, self._rules, selection, dry_run=dry_run)
        if selection != Selection():
            raise UsageError("a record is forgotten by itself. Leave out what else is named")
        return parts.forgetting.forget_record(self._store, record, dry_run=dry_run)

    def finish_forgetting(self) -> bool:
        """Cut away what the write-ahead log still holds of what was forgotten while another process was reading.

        False when one still is.
        """
        return self._store.empty_log()
