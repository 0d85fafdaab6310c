"""Claude Code: the JSONL session files under `~/.claude/projects`, and the web session's `{"loglines": [...]}`.

A session that is resumed or forked copies its history into a new file with the same uuids, so the uuid alone is the
identity of a message, whatever file it stands in. Both forms hold the same records; they differ in how those are read.
"""

import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs
from msgspec.json import Decoder

from memlite.importers.automated import automated
from memlite.importers.blocks import Content, assemble, sort_out, text_of
from memlite.importers.documents import convert, elements
from memlite.importers.lines import Line, Progress, decode, read_lines, rejected
from memlite.importers.source import Item, Occurrences, Source, project_of, title_of
from memlite.text import clock
from memlite.types.transcript import Conversation, Entry, Message, Role, Skip

SOURCE = "claude-code"

BOOKKEEPING = frozenset({
    "agent-color", "agent-name", "agent-setting", "ai-title", "atis-latch", "attachment", "attribution-snapshot",
    "bridge-session", "content-replacement", "custom-title", "file-history-snapshot", "frame-link", "last-prompt",
    "mode", "permission-mode", "pr-link", "progress", "queue-operation", "relocated", "result", "speculation-accept",
    "started", "summary", "system", "tag", "task-summary", "worktree-state",
})  # fmt: skip
"""Record types that clients up to 2.1 write beside the conversation. A type that is not here is reported by name."""

_SPEAKERS: dict[str, Role] = {"user": "user", "assistant": "assistant"}
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEAD_BYTES = 1 << 20
_HEAD_RECORDS = 500
_SHOWN = 60
"""How much of an unknown type's name is shown: it comes from the file and may be anything."""


class _Said(Struct, gc=False):
    content: Content | UnsetType = UNSET


class _Attachment(Struct, gc=False):
    type: Any = None
    prompt: Content = None
    command_mode: Any = msgspec.field(default=None, name="commandMode")


class _Record(Struct, gc=False, rename="camel"):
    """View of a record: the fields memlite reads. Those whose oddness must not cost the message are `Any`."""

    type: Any = None
    message: _Said | None | UnsetType = UNSET
    attachment: _Attachment | None = None
    uuid: Any = None
    session_id: Any = None
    agent_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_api_error_message: Any = None
    summary: Any = None
    custom_title: Any = None
    ai_title: Any = None


class _Kind(Struct, gc=False):
    type: Any = None


_DECODER = Decoder(_Record)
_KIND_DECODER = Decoder(_Kind)


def read_jsonl(source: Source) -> Iterator[Item]:
    """Read a session file from `source.progress` on."""
    source.stream.seek(0)
    head = io.BytesIO(source.stream.read(_HEAD_BYTES))
    first = (_from_line(line) for line in read_lines(head, Progress()))
    session = _Session(source, first)
    for line in read_lines(source.stream, source.progress):
        yield from session.items(_from_line(line), line.number)


def read_web_session(source: Source) -> Iterator[Item]:
    """Read a web session, whole."""
    first = (_from_element(element) for element in islice(elements(source.stream, "loglines.item"), _HEAD_RECORDS))
    session = _Session(source, first)
    for element in elements(source.stream, "loglines.item"):
        number = element.line if isinstance(element, Skip) else element[0]
        yield from session.items(_from_element(element), number)


def _from_line(line: Line) -> _Record | Skip:
    try:
        return decode(_DECODER, line.body)
    except msgspec.DecodeError as error:
        skip = rejected(line, error)
    if skip.reason == "invalid content":
        return _if_unread(decode(_KIND_DECODER, line.body).type, skip)
    return skip


def _from_element(element: tuple[int, Any] | Skip) -> _Record | Skip:
    if isinstance(element, Skip):
        return element
    number, value = element
    record = convert(value, _Record, number)
    if isinstance(record, Skip) and isinstance(value, dict):
        return _if_unread(value.get("type"), record)
    return record


def _if_unread(kind: object, skip: Skip) -> _Record | Skip:
    """Let a record of a type that memlite does not read be skipped for its type, whatever its content looks like."""
    return skip if text_of(kind) in _SPEAKERS else _Record(type=kind)


class _Session:
    """One file's records: which conversation they belong to, and what each becomes."""

    def __init__(self, source: Source, head: Iterable[_Record | Skip]) -> None:
        self._subagents = source.subagents
        self._is_subagent = source.name.startswith("agent-")
        self._conversation = self._describe(source.name, head)
        self._occurrences = Occurrences()

    def items(self, record: _Record | Skip, line: int) -> Iterator[Item]:
        """Yield the record's one Entry or Skip, and what was dropped from it."""
        if isinstance(record, Skip):
            yield record
        elif skip := self._refusal(record, line):
            yield skip
        else:
            yield from self._said(record, line)

    def _said(self, record: _Record, line: int) -> Iterator[Item]:
        parts = sort_out(_content(record))
        yield from parts.drops(line)
        message = assemble(parts, _role(record))
        if message is None:
            yield parts.nothing(line)
            return
        said_at, utc_offset = clock.parse(record.timestamp)
        message = structs.replace(
            message,
            said_at=said_at,
            utc_offset=utc_offset,
            external_id=text_of(record.uuid),
            automated=_automated(record, message),
        )
        conversation = self._place(record)
        yield Entry(conversation, message, self._identity(conversation, message), line)

    def _refusal(self, record: _Record, line: int) -> Skip | None:
        kind = text_of(record.type)
        if kind not in _SPEAKERS and not _queued_prompt(record):
            if kind in BOOKKEEPING:
                return Skip(f"bookkeeping: {kind}", line)
            return Skip(f"unknown type: {kind[:_SHOWN] or 'none'}", line, issue=True)
        if record.is_sidechain is True and not self._subagents:
            return Skip("sidechain", line)
        if record.is_meta is True:
            return Skip("meta", line)
        if record.attachment is None and (not record.message or record.message.content is UNSET):
            return Skip("no content", line, "the record has no message.content", issue=True)
        return None

    def _describe(self, name: str, head: Iterable[_Record | Skip]) -> Conversation:
        """Describe the conversation from the head of the file, so that each import of it gives the same answer."""
        session = cwd = title = ""
        for record in head:
            if isinstance(record, _Record):
                session = session or text_of(record.session_id)
                cwd = cwd or text_of(record.cwd)
                title = title or self._title(record)
                if session and cwd and title:
                    break
        external_id = name if self._is_subagent or _UUID.fullmatch(name) else session or name
        return Conversation(external_id, title, project_of(cwd), cwd)

    def _title(self, record: _Record) -> str:
        given = text_of(record.custom_title) or text_of(record.ai_title) or text_of(record.summary)
        if given or self._refusal(record, 0) or _role(record) != "user":
            return title_of(given)
        text = sort_out(_content(record)).text
        return "" if record.is_compact_summary is True or automated(text) else title_of(text)

    def _place(self, record: _Record) -> Conversation:
        """Keep a sub-agent's turns inside a session file apart from the turns of its person."""
        if record.is_sidechain is not True or self._is_subagent:
            return self._conversation
        main = self._conversation
        return structs.replace(main, external_id=f"{main.external_id}/{text_of(record.agent_id) or 'sidechain'}")

    def _identity(self, conversation: Conversation, message: Message) -> str:
        if message.external_id:
            return f"{SOURCE}:{message.external_id}"
        calls = (use.call_id for use in message.tools)
        said = (message.role, message.said_at or "", message.content, message.thinking)
        return self._occurrences.identity(SOURCE, conversation.external_id, *said, *calls)


def _queued_prompt(record: _Record) -> bool:
    """Tell what a person typed while the agent was at work: the client files it as an attachment, and only there."""
    attachment = record.attachment
    return attachment is not None and attachment.type == "queued_command" and attachment.command_mode == "prompt"


def _role(record: _Record) -> Role:
    return "assistant" if record.type == "assistant" else "user"


def _content(record: _Record) -> Content:
    if record.attachment is not None:
        return record.attachment.prompt
    return (record.message.content or None) if record.message else None


def _automated(record: _Record, message: Message) -> str:
    if record.is_api_error_message is True:
        return "api error"
    if message.role != "user":
        return ""
    if record.is_compact_summary is True:
        return "compaction summary"
    return automated(message.content) or ("sub-agent prompt" if record.is_sidechain is True else "")
