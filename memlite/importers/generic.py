"""Messages in the form any script can write: `{role | speaker, content, timestamp?, conversation?, …}`.

They come one a line, as a JSON list, as `{"messages": [...]}` or as a list of such objects, from files, from stdin and
from the library. Where a message names a speaker and no role, people talk with people: whoever speaks first in the
conversation takes the user's part.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs
from msgspec.json import Decoder

from memlite.importers.automated import automated
from memlite.importers.blocks import Content, Parts, assemble, sort_out, text_of
from memlite.importers.documents import convert, elements, header, is_list, name_of
from memlite.importers.lines import decode, read_lines, rejected
from memlite.importers.source import Item, Occurrences, Source, project_of, title_of
from memlite.text import clock
from memlite.text.clean import clean
from memlite.types.transcript import Conversation, Entry, Message, Role, Skip, Style, ToolUse

SOURCE = "generic"

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "thinking": "assistant",
    "tool": "tool",
    "function": "tool",
}
_INSTRUCTIONS = ("system", "developer")
_ABOUT_CONVERSATION = ("conversation", "session", "id", "project", "title", "cwd")
_SHOWN = 60


class _Record(Struct, gc=False):
    """View of a message, or of a conversation with its messages. `ts` and `session` are common other spellings."""

    role: Any = None
    speaker: Any = None
    name: Any = None
    content: Content | UnsetType = UNSET
    timestamp: Any = None
    ts: Any = None
    conversation: Any = None
    session: Any = None
    project: Any = None
    title: Any = None
    cwd: Any = None
    id: Any = None
    tool_call_id: Any = None
    tool_calls: Any = None
    messages: list[Any] | UnsetType = UNSET


class _Defaults(Struct, frozen=True):
    """What a message is taken to say about its conversation where it says nothing itself."""

    conversation: str
    project: str = ""
    title: str = ""
    cwd: str = ""


class _Thread:
    """A conversation while its messages pass by."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.first_speaker = ""
        self.occurrences = Occurrences()


_DECODER = Decoder(_Record)


def read_jsonl(source: Source) -> Iterator[Item]:
    """Read lines, whole each time: who spoke first and which of two equal messages this is depend on all before."""
    reader = _Reader(_Defaults(source.name))
    progress = structs.replace(source.progress, offset=0, lines=0)
    for line in read_lines(source.stream, progress):
        try:
            record = decode(_DECODER, line.body)
        except msgspec.DecodeError as error:
            yield rejected(line, error)
        else:
            yield from reader.items(record, line.number)


def read_document(source: Source) -> Iterator[Item]:
    """Read a JSON list of messages or of conversations, or one conversation object."""
    if is_list(source.stream):
        reader, prefix = _Reader(_Defaults(source.name)), "item"
    else:
        given = header(source.stream)
        record = msgspec.convert({name: given.get(name) for name in _ABOUT_CONVERSATION}, _Record)
        reader, prefix = _Reader(_defaults(record, _Defaults(source.name))), "messages.item"
    count = 0
    for element in elements(source.stream, prefix):
        if isinstance(element, Skip):
            yield structs.replace(element, line=count + 1)
            continue
        values = element[1].get("messages") if isinstance(element[1], dict) else None
        # A conversation's messages are counted through the file, because each of them is a record.
        yield from reader.element(element[1], count + 1)
        count += max(1, len(values)) if isinstance(values, list) else 1


def from_messages(
    messages: Iterable[object], *, conversation: str, project: str = "", title: str = "", cwd: str = ""
) -> Iterator[Item]:
    """Read messages that a program holds as dicts. Each may name another conversation, project, title or cwd itself."""
    reader = _Reader(_Defaults(conversation, project, title, cwd))
    for number, message in enumerate(messages, start=1):
        yield from reader.element(clean(message), number)


def _defaults(record: _Record, outer: _Defaults) -> _Defaults:
    """Return what a conversation object says about its messages."""
    return _Defaults(
        _conversation(record) or name_of(record.id) or outer.conversation,
        text_of(record.project) or outer.project,
        text_of(record.title) or outer.title,
        text_of(record.cwd) or outer.cwd,
    )


def _conversation(record: _Record) -> str:
    return name_of(record.conversation) or name_of(record.session)


class _Reader:
    """Turns records into entries and remembers, per conversation, what later messages need to know."""

    def __init__(self, defaults: _Defaults) -> None:
        self._defaults = defaults
        self._threads: dict[str, _Thread] = {}
        self._unnamed = 0

    def element(self, value: object, number: int) -> Iterator[Item]:
        """Yield the fate of one message, or of each message of one conversation, that is a dict."""
        record = convert(value, _Record, number)
        if isinstance(record, Skip):
            yield record
        else:
            yield from self.items(record, number)

    def items(self, record: _Record, line: int) -> Iterator[Item]:
        """Yield the fate of one message, or of each message of one conversation."""
        if record.messages is UNSET:
            yield from self._message(record, line, self._defaults)
            return
        defaults = _defaults(record, self._unnamed_conversation(record))
        if not record.messages:
            yield Skip("empty", line)
        for number, value in enumerate(record.messages, start=line):
            message = convert(value, _Record, number)
            if isinstance(message, Skip):
                yield message
            else:
                yield from self._message(message, number, defaults)

    def _unnamed_conversation(self, record: _Record) -> _Defaults:
        if _conversation(record) or name_of(record.id):
            return self._defaults
        self._unnamed += 1
        if self._unnamed == 1:
            return self._defaults
        return structs.replace(self._defaults, conversation=f"{self._defaults.conversation}:{self._unnamed}")

    def _message(self, record: _Record, line: int, defaults: _Defaults) -> Iterator[Item]:
        if skip := _refusal(record, line):
            yield skip
            return
        parts = sort_out(record.content or "")
        parts.calls.extend(_calls(record.tool_calls))
        yield from parts.drops(line)
        message = _assembled(record, parts)
        if message is None:
            yield parts.nothing(line)
            return
        thread = self._thread(record, defaults)
        speaker = text_of(record.speaker) or ("" if message.role == "tool" else text_of(record.name))
        role = message.role if text_of(record.role) else _part(thread, speaker)
        said_at, utc_offset = clock.parse(_written_time(record))
        message = structs.replace(
            message,
            role=role,
            speaker=speaker,
            said_at=said_at,
            utc_offset=utc_offset,
            external_id=name_of(record.id),
            automated=automated(message.content) if role == "user" else "",
        )
        if role == "user" and not thread.conversation.title and not message.automated:
            thread.conversation = structs.replace(thread.conversation, title=title_of(message.content))
        yield Entry(thread.conversation, message, _identity(thread, record, message), line)

    def _thread(self, record: _Record, defaults: _Defaults) -> _Thread:
        external_id = _conversation(record) or defaults.conversation
        thread = self._threads.get(external_id)
        if thread is None:
            style: Style = "assistant" if text_of(record.role) else "peers"
            thread = self._threads[external_id] = _Thread(Conversation(external_id, style=style))
        known = thread.conversation
        cwd = known.cwd or text_of(record.cwd) or defaults.cwd
        project = known.project or text_of(record.project) or defaults.project or project_of(cwd)
        title = known.title or text_of(record.title) or defaults.title
        if (cwd, project, title) != (known.cwd, known.project, known.title):
            thread.conversation = structs.replace(known, cwd=cwd, project=project, title=title)
        return thread


def _refusal(record: _Record, line: int) -> Skip | None:
    role = text_of(record.role).lower()
    if role in _INSTRUCTIONS:
        return Skip("system prompt", line)
    if role and role not in _ROLES:
        return Skip(f"unknown role: {role[:_SHOWN]}", line, issue=True)
    if not role and not (text_of(record.speaker) or text_of(record.name)):
        return Skip("no role", line, "the message names neither role nor speaker", issue=True)
    if record.content is UNSET and not record.tool_calls:
        return Skip("no content", line, issue=True)
    return None


def _assembled(record: _Record, parts: Parts) -> Message | None:
    role = text_of(record.role).lower()
    text = parts.text
    if text and role == "thinking":
        return Message("assistant", thinking=text)
    if text and _ROLES.get(role) == "tool":
        return Message("tool", tools=(ToolUse(text_of(record.name), text_of(record.tool_call_id), output=text),))
    return assemble(parts, _ROLES.get(role, "user"))


def _calls(value: object) -> Iterator[ToolUse]:
    """Yield the calls of a message in the form of OpenAI's API."""
    for call in value if isinstance(value, list) else ():
        if isinstance(call, dict) and isinstance(function := call.get("function"), dict):
            yield ToolUse(text_of(function.get("name")), text_of(call.get("id")), text_of(function.get("arguments")))


def _part(thread: _Thread, speaker: str) -> Role:
    thread.first_speaker = thread.first_speaker or speaker
    return "user" if speaker == thread.first_speaker else "assistant"


def _written_time(record: _Record) -> object:
    return record.ts if record.timestamp is None else record.timestamp


def _identity(thread: _Thread, record: _Record, message: Message) -> str | None:
    """Say what makes two messages one. Without id and time only the store can tell, by the order of the texts."""
    conversation = thread.conversation.external_id
    if message.external_id:
        return f"{SOURCE}:{conversation}:{message.external_id}"
    time = message.said_at or name_of(_written_time(record))
    if not time:
        return None
    outputs = (use.output for use in message.tools)
    said = (message.role, message.speaker, time, message.content, message.thinking)
    return thread.occurrences.identity(f"{SOURCE}:{conversation}", *said, *outputs)
