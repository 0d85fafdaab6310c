"""LongMemEval: a list of questions, each with the dated sessions that its answer lies among.

A session is one conversation. Many questions share sessions, so a session's own id names it and its messages, and what
stands in several haystacks is stored once.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from msgspec import Struct

from memlite.importers.documents import convert, elements, name_of
from memlite.importers.source import Item, Source, title_of
from memlite.text import clock
from memlite.types.transcript import Conversation, Entry, Message, Role, Skip

SOURCE = "longmemeval"

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


class _Turn(Struct, gc=False):
    role: str
    content: str


class _Question(Struct, gc=False):
    haystack_sessions: list[list[Any]]
    haystack_session_ids: list[Any] = []
    haystack_dates: list[Any] = []
    question_id: Any = None


def read(source: Source) -> Iterator[Item]:
    """Read the questions one by one; a turn is a record, and they are numbered through the file."""
    count = 0
    for element in elements(source.stream, "item"):
        question = element if isinstance(element, Skip) else convert(element[1], _Question, count + 1)
        if isinstance(question, Skip):
            count += 1
            yield question
            continue
        name = name_of(question.question_id) or source.name
        for conversation, date, turns in _sessions(question, name):
            for index, turn in enumerate(turns):
                count += 1
                yield _item(turn, conversation, date, index, count)


def _sessions(question: _Question, name: str) -> Iterator[tuple[Conversation, object, list[Any]]]:
    lists = zip_longest(question.haystack_sessions, question.haystack_session_ids, question.haystack_dates)
    for number, (turns, session, date) in enumerate(lists, start=1):
        if turns:
            yield Conversation(name_of(session) or f"{name}:{number}", _title(turns)), date, turns


def _title(turns: list[Any]) -> str:
    said = (turn.get("content") for turn in turns if isinstance(turn, dict) and turn.get("role") == "user")
    return title_of(next((text for text in said if isinstance(text, str)), ""))


def _item(value: object, conversation: Conversation, date: object, index: int, number: int) -> Item:
    turn = convert(value, _Turn, number)
    if isinstance(turn, Skip):
        return turn
    if turn.role not in _ROLES:
        return Skip(f"unknown role: {turn.role[:60]}", number, issue=True)
    if not turn.content.strip():
        return Skip("empty", number)
    said_at, utc_offset = clock.parse(date)
    message = Message(_ROLES[turn.role], turn.content, said_at=said_at, utc_offset=utc_offset)
    return Entry(conversation, message, f"{SOURCE}:{conversation.external_id}:{index}", number)
