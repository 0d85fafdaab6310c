"""GBNF grammars: what a model may answer, so that every answer is one JSON object, complete and short.

They are written by hand: those that are made from a JSON schema allow strings without end, and one that is cut off is
no JSON. Bounds stay small, since llama.cpp unrolls them.
"""

import json
from collections.abc import Mapping, Sequence

MOST_ROOMS = 3
CHAR = r'[^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]'


def written(least: int, most: int) -> str:
    """A rule for a JSON string of so many characters that the model is free to choose."""
    return f'"\\"" char{{{least},{most}}} "\\""'


def one_of(texts: Sequence[str]) -> str:
    """A rule for a JSON string that is one of these texts."""
    return " | ".join(_literal(json.dumps(text, ensure_ascii=False)) for text in texts)


def copied(words: Sequence[str], most: int) -> str:
    """A rule for a JSON string of up to so many of these words."""
    word = " | ".join(_literal(json.dumps(one, ensure_ascii=False)[1:-1]) for one in words)
    return f'"\\"" ({word}) ((" " | ", " | "; ") ({word})){{1,{most - 1}}} "\\""'


def rooms(label: str) -> str:
    """A rule for one to three rooms, each with a type and a label by the rule `label`."""
    kind = one_of(("file", "concept", "workflow"))
    return _list(f"({_object({'type': kind, 'label': label})})", MOST_ROOMS)


def number_of(numbers: Sequence[int]) -> str:
    """A rule for one of these numbers."""
    return " | ".join(_literal(str(number)) for number in numbers)


def texts(rule: str, most: int) -> str:
    """A rule for a JSON list of one to so many texts by a rule."""
    return _list(f"({rule})", most)


def answer(fields: Mapping[str, str]) -> str:
    """The grammar of a JSON object with exactly these fields in this order, each by its rule."""
    return f"root ::= {_object(fields)}\nchar ::= {CHAR}\n"


def answers(fields: Mapping[str, str], most: int, *, some: bool = False) -> str:
    """The grammar of a JSON list of up to so many objects with exactly these fields; with `some` of at least one."""
    none = "" if some else '"[]" | '
    return f"root ::= {none}{_list('item', most)}\nitem ::= {_object(fields)}\nchar ::= {CHAR}\n"


def _list(item: str, most: int) -> str:
    return f'"[" {item} (", " {item}){{0,{most - 1}}} "]"'


def _object(fields: Mapping[str, str]) -> str:
    parts = [f"{_literal(json.dumps(name) + ': ')} ({rule})" for name, rule in fields.items()]
    return f'"{{" {_literal(", ").join(f" {part} " for part in parts)} "}}"'


def _literal(text: str) -> str:
    """A terminal of the grammar; its escapes are those of JSON, but it knows no \\u."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
