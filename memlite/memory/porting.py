"""Export and import of everything a store holds: the text, and what was made of it by rules, models and people.

An export is read from one snapshot, and equal stores give equal bytes: ids become numbers that count the rows, and no
time of the export itself is in it. An import takes conversations whole, several in a transaction. One that the store
does not hold is taken as it is, with its exchanges, objects and records. Of one that it holds only the messages it
lacks are taken, at its end; what was made of it stays as the store has it, and what it gained is distilled here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from memlite.importers import export
from memlite.importers.export import FirstLine, LastLine
from memlite.memory.intake import BATCH, FORGOTTEN, Counts, regroup
from memlite.segment import Rules
from memlite.store import overview, portable, tombstones
from memlite.store.connection import Connection, Store
from memlite.store.portable import Unfit
from memlite.types.export import VERSION, ExportReport, Row
from memlite.types.report import ImportReport
from memlite.types.transcript import Skip

WITH_THE_STORE = frozenset({"source", "room", "ledger", "issue"})
"""Tables whose rows are taken wherever they are missing, whatever is with the conversation they came with."""


def export_store(store: Store, stream: BinaryIO, *, conversation: str = "", project: str = "") -> ExportReport:
    """Write a store, or the conversations of a name or a project, as lines of JSON."""
    rows: Counter[str] = Counter()
    encoder = msgspec.json.Encoder()
    with store.reading() as con:
        schema, _, _ = overview.versions(con)
        stream.write(encoder.encode(FirstLine(VERSION, schema)) + b"\n")
        reader = portable.Reader(con, whole=not (conversation or project))
        for row in reader.rows(conversation, project):
            rows[row.table] += 1
            number = {} if row.number is None else {"number": row.number}
            stream.write(encoder.encode({"table": row.table, **number, "values": row.values}) + b"\n")
        stream.write(encoder.encode(LastLine(dict(sorted(rows.items())))) + b"\n")
    return ExportReport(dict(sorted(rows.items())))


def import_export(
    store: Store, rules: Rules, stream: BinaryIO, path: str, *, allow_reimport: bool = False
) -> ImportReport:
    """Take what an export holds and the store lacks; `path` names the file in issues. Messages are counted.

    :raises BadTranscript: it was written by a newer memlite
    """
    with store.reading() as con:
        taking = _Taking(rules, path, portable.Writer(con), allow_reimport)
    for batch in _batches(export.read_rows(stream)):
        with store.transaction() as con:
            taking.take(con, batch)
    return taking.report()


class _Taking:
    """An export on its way into a store."""

    def __init__(self, rules: Rules, path: str, writer: portable.Writer, allow_reimport: bool) -> None:
        self._rules, self._path, self._writer, self._allow_reimport = rules, path, writer, allow_reimport
        self._counts = Counts()
        self._seen: Counter[str] = Counter()
        self._expected: dict[str, int] | None = None
        # Of the conversation at hand: its id, and whether it stands here as it does in the file.
        self._conversation: int | None = None
        self._as_it_is = False
        self._new_messages: set[int] = set()
        self._written: dict[str, list[int]] = {}
        self._touched: set[int] = set()

    def take(self, con: Connection, batch: Iterable[Row | LastLine | Skip]) -> None:
        """Write the rows of whole conversations, and bring up to date what hangs on them."""
        self._written, self._touched = {}, set()
        self._guard = tombstones.Guard(con, lift=self._allow_reimport)
        for item in batch:
            if isinstance(item, Skip):
                self._counts.skip(self._path, item)
            elif isinstance(item, LastLine):
                self._expected = item.rows
            else:
                self._take_row(con, item)
        portable.index(con, self._written)
        for conversation_id in sorted(self._touched):
            new, _ = regroup(con, conversation_id, self._rules)
            self._counts.exchanges += len(new)

    def report(self) -> ImportReport:
        """Return what became of the messages; an export that is not whole is an issue."""
        if self._expected != self._seen:
            detail = "its last line is missing" if self._expected is None else "its rows are not those it counts"
            self._counts.skip(self._path, Skip("incomplete export", detail=detail, issue=True))
        return self._counts.report()

    def _take_row(self, con: Connection, row: Row) -> None:
        self._seen[row.table] += 1
        if not self._writer.takes(row):
            self._refuse(row, "row of no table or column of this store")
            return
        try:
            values = self._writer.local(row)
            if values is None:
                self._leave(row)
            elif row.table == "conversation":
                self._take_conversation(con, row, values)
            elif row.table == "message":
                self._take_message(con, row, values)
            elif self._writer.find(con, row, values) is None:
                self._insert(con, row, values) if self._is_wanted(row, values) else self._leave(row)
        except Unfit as error:
            self._refuse(row, str(error))

    def _take_conversation(self, con: Connection, row: Row, values: portable.Values) -> None:
        found = self._writer.find(con, row, values)
        self._as_it_is = found is None
        self._new_messages.clear()
        self._counts.conversations += found is None
        self._conversation = self._writer.insert(con, row, values) if found is None else found

    def _take_message(self, con: Connection, row: Row, values: portable.Values) -> None:
        if self._guard.stops_identified(values["identity"]):
            self._counts.skip(self._path, Skip(FORGOTTEN, row.line))
            self._diverge(gained=False)
            return
        if self._writer.find(con, row, values) is not None:
            self._counts.records_in += 1
            self._counts.duplicate += 1
            self._diverge(gained=False)
            return
        if not self._as_it_is:
            values = self._writer.at_the_end(con, values)
            self._diverge(gained=True)
        self._insert(con, row, values)
        self._new_messages.add(self._written["message"][-1])
        # Only now: what is refused is counted where it is skipped.
        self._counts.records_in += 1
        self._counts.stored += 1

    def _is_wanted(self, row: Row, values: portable.Values) -> bool:
        if row.table == "record" and self._guard.stops_record(values["content"]):
            return False
        if row.table == "tool_use":
            # Of a message that was here already its tool calls are too.
            return values["message_id"] in self._new_messages
        return self._as_it_is or row.table in WITH_THE_STORE

    def _diverge(self, *, gained: bool) -> None:
        """Take no more of this conversation than its messages, and group them into exchanges here."""
        if self._conversation is not None and (gained or self._as_it_is):
            self._touched.add(self._conversation)
        self._as_it_is = False

    def _insert(self, con: Connection, row: Row, values: portable.Values) -> None:
        rowid = self._writer.insert(con, row, values)
        self._written.setdefault(row.table, []).append(rowid)
        self._counts.exchanges += row.table == "exchange"

    def _leave(self, row: Row) -> None:
        """Count what has no place here. What was made of a conversation that is here as it is in the file has one."""
        if row.table == "message":
            self._refuse(row, "message of no conversation")
        elif row.table in WITH_THE_STORE or self._conversation in self._touched:
            self._counts.dropped[row.table] += 1

    def _refuse(self, row: Row, reason: str) -> None:
        if row.table == "message":
            self._counts.skip(self._path, Skip("unfit row", row.line, reason, issue=True))
        else:
            self._counts.dropped[row.table] += 1


def _batches(items: Iterator[Row | LastLine | Skip]) -> Iterator[list[Row | LastLine | Skip]]:
    """Yield lists of about BATCH rows that end where a conversation ends."""
    batch: list[Row | LastLine | Skip] = []
    for item in items:
        if len(batch) >= BATCH and isinstance(item, Row) and item.table == "conversation":
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch
