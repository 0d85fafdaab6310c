"""Records on their way into the store: written in short transactions, told apart from what is there, all counted.

Parsing happens outside the transactions and models later, so the write lock is held for milliseconds. A batch is
durable and findable by keyword when its transaction ends; an import that is killed leaves whole batches, and the next
one goes on from there, since every message has an identity.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field, structs

from memlite.segment import Rules, segment
from memlite.store import dense, ledger, lexical, palace, records, sameness, tasks, tombstones, transcript
from memlite.store.connection import Connection, Store
from memlite.store.ledger import Tail
from memlite.text.digest import identity_digest, words_digest
from memlite.text.times import now
from memlite.types.report import ImportReport, Issue
from memlite.types.transcript import Conversation, DroppedBlock, Entry, Message, Place, Role, Skip

BATCH = 2_000
FORGOTTEN = "forgotten"
"""Why a record is skipped that was forgotten on purpose."""
Item = Entry | Skip | DroppedBlock


class Counts(Struct):
    """What came of the records of one source."""

    records_in: int = 0
    stored: int = 0
    duplicate: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    issues: list[Issue] = field(default_factory=list)
    conversations: int = 0
    exchanges: int = 0
    message_ids: list[int] = field(default_factory=list)
    exchange_ids: list[int] = field(default_factory=list)
    last: tuple[int, str] = (0, "")
    """The line of the last record, and why it was skipped, or ""."""

    def skip(self, path: str, skip: Skip) -> None:
        """Count a record that is not stored."""
        self.records_in += 1
        self.skipped[skip.reason] += 1
        self.last = (skip.line, skip.reason)
        if skip.issue:
            reason = f"{skip.reason}: {skip.detail}" if skip.detail else skip.reason
            self.issues.append(Issue(path, skip.line, reason))

    def report(self) -> ImportReport:
        """Return the counts in the form a caller gets."""
        return ImportReport(
            records_in=self.records_in,
            stored=self.stored,
            duplicate=self.duplicate,
            skipped=dict(sorted(self.skipped.items())),
            conversations=self.conversations,
            exchanges=self.exchanges,
            issues=tuple(self.issues),
            dropped=dict(sorted(self.dropped.items())),
            message_ids=tuple(self.message_ids),
            exchange_ids=tuple(dict.fromkeys(self.exchange_ids)),
        )


class _Thread(Struct):
    """A conversation that is being written to."""

    id: int
    next_seq: int
    next_ply: int
    title: str
    first_speaker: str | None
    """Who takes the user's part where people talk with people; None before anybody spoke."""


class Intake:
    """One source being read into the store."""

    def __init__(
        self,
        store: Store,
        rules: Rules,
        kind: str,
        path: str,
        *,
        keep_ids: bool = False,
        allow_reimport: bool = False,
    ) -> None:
        """Read a source of this kind and path; `keep_ids` reports what was stored: too much to hold of a large file.

        What was forgotten stays so, unless `allow_reimport` lets it come back.
        """
        self._store, self._rules, self._allow_reimport = store, rules, allow_reimport
        self._kind, self._path, self._keep_ids = kind, path, keep_ids
        self._threads: dict[str, _Thread] = {}
        self._source_id = self._entry_id = 0
        self.counts = Counts()

    def take(
        self, items: Iterable[Item], before: Tail | None = None, done: Callable[[Counts], Tail] | None = None
    ) -> None:
        """Store what `items` yields. `before` is what an earlier import read of the same file; `done` is asked at the
        end for how far this one came."""
        if before:
            self._count_earlier(before)
        batches = _batches(items)
        batch = next(batches, [])
        for following in batches:
            self._write(batch)
            batch = following
        # The last batch and the account are one transaction: an add waits for the disk once, not twice.
        self._write(batch, last=True, done=done)

    def _count_earlier(self, before: Tail) -> None:
        self.counts.records_in += before.kept + sum(before.skipped.values())
        self.counts.duplicate += before.kept
        self.counts.skipped.update(before.skipped)

    def _write(self, batch: list[Item], *, last: bool = False, done: Callable[[Counts], Tail] | None = None) -> None:
        with self._store.transaction() as con:
            if not self._entry_id:
                self._source_id = transcript.add_source(con, self._kind, self._path)
                self._entry_id = ledger.open_entry(con, self._source_id, now())
            # Another process may have added to the same conversations since the last batch.
            self._threads.clear()
            first_issue = len(self.counts.issues)
            touched = self._write_items(con, batch)
            for conversation_id in sorted(touched):
                new, changed = regroup(con, conversation_id, self._rules)
                self.counts.exchanges += len(new)
                if self._keep_ids:
                    self.counts.exchange_ids += [*new, *changed]
            for issue in self.counts.issues[first_issue:]:
                ledger.add_issue(con, self._entry_id, issue)
            if last:
                self._close(con, done(self.counts) if done else None)

    def _close(self, con: Connection, tail: Tail | None) -> None:
        counts = self.counts
        sums = (counts.records_in, counts.stored, counts.duplicate)
        ledger.close_entry(con, self._entry_id, now(), sums, counts.skipped, counts.dropped)
        if tail:
            ledger.remember_tail(con, self._source_id, tail)

    def _write_items(self, con: Connection, batch: list[Item]) -> set[int]:
        touched: set[int] = set()
        added_at = now()
        self._guard = tombstones.Guard(con, lift=self._allow_reimport)
        for run in _runs(batch):
            first = run[0]
            if isinstance(first, Skip):
                self.counts.skip(self._path, first)
            elif isinstance(first, DroppedBlock):
                self.counts.dropped[first.kind] += 1
            elif first.identity is None:
                touched |= self._write_sequence(con, [item for item in run if isinstance(item, Entry)], added_at)
            else:
                touched |= self._write_entry(con, first, identity_digest(first.identity), added_at)
        return touched

    def _write_entry(self, con: Connection, entry: Entry, identity: bytes, added_at: str) -> set[int]:
        if self._guard.stops_identified(identity):
            self.counts.skip(self._path, Skip(FORGOTTEN, entry.line))
            return set()
        known = transcript.find_message(con, identity)
        if known is not None and known[1] != entry.message.content:
            # The earliest is kept: a client that rewrites its history must not rewrite the memory of it.
            detail = f"message {known[0]} has this id and other text; the earlier one is kept"
            self.counts.skip(self._path, Skip("same id, other text", entry.line, detail, issue=True))
            return set()
        self.counts.records_in += 1
        self.counts.last = (entry.line, "")
        if known is not None:
            self.counts.duplicate += 1
            return set()
        return {self._add(con, entry, identity, added_at)}

    def _write_sequence(self, con: Connection, run: list[Entry], added_at: str) -> set[int]:
        digested = self._not_forgotten(run)
        if not digested:
            return set()
        digests = [digest for _, digest in digested]
        thread = self._find_thread(con, run[0].conversation)
        known = sameness.known_prefix(con, thread.id, digests) if thread else 0
        self.counts.records_in += len(digested)
        if digested[-1][0] is run[-1]:
            self.counts.last = (run[-1].line, "")
        self.counts.duplicate += known
        return {
            self._add(con, entry, sameness.next_identity(con, digest), added_at) for entry, digest in digested[known:]
        }

    def _not_forgotten(self, run: list[Entry]) -> list[tuple[Entry, bytes]]:
        """Return what of a sequence may be stored, with the digests of its words, and count the rest."""
        kept: list[tuple[Entry, bytes]] = []
        for entry in run:
            digest = _digest(self._kind, entry)
            before = kept[-1][1] if kept else b""
            if self._guard.stops_words(digest, len(entry.message.content), before):
                self.counts.skip(self._path, Skip(FORGOTTEN, entry.line))
            else:
                kept.append((entry, digest))
        return kept

    def _add(self, con: Connection, entry: Entry, identity: bytes, added_at: str) -> int:
        thread = self._find_thread(con, entry.conversation) or self._add_thread(con, entry.conversation, added_at)
        title = self._title(entry.conversation)
        if title and not thread.title:  # told by a later message than the first
            transcript.set_title(con, thread.id, title)
            thread.title = title
        message = _cast(entry, thread)
        ply = thread.next_ply if message.role != "tool" and message.content.strip() else None
        place = Place(thread.next_seq, ply, message.role, message.said_at, message.automated)
        message_id = transcript.add_message(con, thread.id, place, message, identity, added_at)
        if message.tools:
            lexical.index_tools(con, message_id)
        thread.next_seq += 1
        thread.next_ply += ply is not None
        self.counts.stored += 1
        if self._keep_ids:
            self.counts.message_ids.append(message_id)
        return thread.id

    def _find_thread(self, con: Connection, given: Conversation) -> _Thread | None:
        thread = self._threads.get(given.external_id)
        if thread is None:
            found = transcript.find_conversation(con, self._kind, given.external_id)
            if found is None:
                return None
            id, title = found
            place = transcript.next_place(con, id)
            thread = self._threads[given.external_id] = _Thread(id, *place, title, transcript.first_speaker(con, id))
        return thread

    def _add_thread(self, con: Connection, given: Conversation, added_at: str) -> _Thread:
        given = structs.replace(given, title=self._title(given))
        id = transcript.add_conversation(con, self._source_id, self._kind, given, added_at)
        self.counts.conversations += 1
        thread = self._threads[given.external_id] = _Thread(id, 0, 0, given.title, None)
        return thread

    def _title(self, given: Conversation) -> str:
        """Return the title of a conversation, unless it told of what was forgotten."""
        forgotten = given.title and self._guard.stops_title(self._kind, given.external_id, given.title)
        return "" if forgotten else given.title


def _cast(entry: Entry, thread: _Thread) -> Message:
    """Give the user's part to whoever spoke first in the whole conversation, of which this may be a later piece."""
    message = entry.message
    if entry.conversation.style != "peers" or message.role == "tool":
        return message
    if thread.first_speaker is None:
        thread.first_speaker = message.speaker
    role: Role = "user" if message.speaker == thread.first_speaker else "assistant"
    return message if role == message.role else structs.replace(message, role=role)


def regroup(con: Connection, conversation_id: int, rules: Rules) -> tuple[list[int], list[int]]:
    """Bring a conversation's exchanges up to its messages; return the ids of those that are new and that have grown.

    Only the last exchange can have changed; what was made of it is taken out and asked for again (M13, M14).
    """
    start, stored = transcript.open_tail(con, conversation_id)
    before = {row.span.ply_start: row for row in stored}
    with_verbatim_vectors = dense.has_index(con, "verbatim")
    new: list[int] = []
    grown: list[int] = []
    for span in segment(transcript.places_from(con, conversation_id, start), rules):
        row = before.get(span.ply_start)
        if row is None:
            exchange_id = transcript.add_exchange(con, conversation_id, span)
            new.append(exchange_id)
        elif row.span != span:
            exchange_id = row.id
            palace.remove_objects(con, [exchange_id])
            records.remove_records(con, [exchange_id])
            dense.remove_vectors(con, "verbatim", [exchange_id])
            lexical.unindex(con, "fts_exchange", [exchange_id])
            transcript.grow_exchange(con, conversation_id, span)
            grown.append(exchange_id)
        else:
            continue
        lexical.index(con, "fts_exchange", [exchange_id])
        ask_for_work(con, exchange_id, automated=span.automated, with_verbatim_vectors=with_verbatim_vectors)
    return new, grown


def ask_for_work(con: Connection, exchange_id: int, *, automated: str, with_verbatim_vectors: bool) -> None:
    """Ask for what is to be made of an exchange whose text is new."""
    tasks.add_task(con, exchange_id, "distill")
    if automated:
        tasks.withdraw(con, exchange_id, "extract")
        return
    tasks.add_task(con, exchange_id, "extract")
    if with_verbatim_vectors:
        tasks.add_task(con, exchange_id, "embed-verbatim")


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield lists of about BATCH items. Messages without an identity stay in one list, as their sequence tells them."""
    batch: list[Item] = []
    loose = False
    for item in items:
        loose = item.identity is None if isinstance(item, Entry) else loose
        if len(batch) >= BATCH and not loose:
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def _runs(batch: list[Item]) -> Iterator[list[Item]]:
    """Yield single items, and as one list the messages without identity that follow each other in a conversation."""
    loose: dict[str, list[Item]] = {}
    for item in batch:
        if not isinstance(item, Entry):
            yield [item]
        elif item.identity is None:
            loose.setdefault(item.conversation.external_id, []).append(item)
        else:
            if run := loose.pop(item.conversation.external_id, None):
                yield run
            yield [item]
    yield from loose.values()


def _digest(kind: str, entry: Entry) -> bytes:
    message: Message = entry.message
    who = message.speaker or message.role
    parts = (kind, entry.conversation.external_id, who, message.content, message.thinking)
    return words_digest(*parts, *(part for use in message.tools for part in (use.call_id, use.input, use.output)))
