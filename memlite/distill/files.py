"""Files an exchange touched, and what was done with them.

Actions come from tool calls alone: what a tool was asked to do is known, what people say they did is not. A file that
is only talked about is `discussed`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from memlite.text.paths import file_names, is_file_name
from memlite.types.palace import Exchange, FileAction, FileTouched
from memlite.types.transcript import ToolUse

MAX_FILES = 20

_VERBS: dict[FileAction, str] = {
    "read": "read readfile view notebookread openfile cat",
    "modified": "edit multiedit notebookedit update replace editfile strreplace searchreplace",
    "created": "write writefile createfile create",
    "deleted": "deletefile delete",
}
_ACTIONS = {verb: action for action, verbs in _VERBS.items() for verb in verbs.split()}
"""What a tool does to its file, by its name without case and separators."""
_STRENGTH: dict[FileAction, int] = {
    "created": 5,
    "deleted": 5,
    "modified": 4,
    "read": 3,
    "referenced": 2,
    "discussed": 1,
}
_FILE_KEYS = ("file_path", "filePath", "notebook_path", "absolute_path", "target_file")
_PATH_KEYS = ("path", "filename")
"""These may hold a folder as well, so the value must look like a file."""
_SHELL_KEYS = ("command", "cmd", "script")
_PATCH = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
_PATCH_ACTIONS: dict[str, FileAction] = {"Add": "created", "Update": "modified", "Delete": "deleted"}
_REMOVE = re.compile(r"(?:^|[;&|(\n]|\bsudo |\bgit )\s*rm\s+([^;&|\n]+)")
_REDIRECT = re.compile(r"(?<![\d&])>{1,2}\s*([^\s;&|<>()\"']+)|(?:^|[;&|\n])\s*touch\s+([^;&|\n]+)")


def files_touched(exchange: Exchange, contents: Sequence[str]) -> tuple[FileTouched, ...]:
    """Every file named, the most important first. `contents` are the turns' readable texts."""
    actions: dict[str, FileAction] = {}
    mentions: Counter[str] = Counter()
    for path, action in _used(exchange.tools):
        name = _relative(path, exchange.cwd)
        mentions[name] += 1
        if _STRENGTH[action] > _STRENGTH[actions.get(name, "discussed")]:
            actions[name] = action
    for content in contents:
        for path in file_names(content):
            name = _relative(path, exchange.cwd)
            name = _longer(name, mentions) or name
            mentions[name] += 1
            actions.setdefault(name, "discussed")
    ranked = sorted(mentions, key=lambda name: (-_STRENGTH[actions[name]], -mentions[name]))
    return tuple(FileTouched(name, actions[name]) for name in ranked[:MAX_FILES])


def _longer(name: str, known: Iterable[str]) -> str:
    """A known path that this shorter one is the end of, or ""."""
    if "/" in name and name.startswith(("/", "~")):
        return ""
    return next((path for path in known if path.endswith("/" + name)), "")


def _relative(path: str, cwd: str) -> str:
    """The path from the project's folder, as people write it."""
    return (path.removeprefix(cwd.rstrip("/") + "/") if cwd else path).removeprefix("./") or path


def _used(tools: Iterable[ToolUse]) -> Iterator[tuple[str, FileAction]]:
    """Path and action of every tool call."""
    for tool in tools:
        if not tool.input:
            continue
        arguments = _arguments(tool.input)
        verb = _ACTIONS.get(re.sub(r"[\W_]", "", tool.name).lower(), "referenced")
        for key in (*_FILE_KEYS, *_PATH_KEYS):
            value = arguments.get(key)
            if isinstance(value, str) and (name := value.strip()) and (key in _FILE_KEYS or is_file_name(name)):
                yield name, verb
        for shell in _shell(arguments, tool.input):
            yield from _shell_files(shell)


def _arguments(text: str) -> dict[str, Any]:
    try:
        decoded = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return {}
    return decoded if isinstance(decoded, dict) else {}


def _shell(arguments: dict[str, Any], text: str) -> Iterator[str]:
    """Command lines and patches in the arguments; arguments that are no JSON object are one themselves."""
    if not arguments:
        yield text
    for key in (*_SHELL_KEYS, "input", "patch"):
        value = arguments.get(key)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            parts = [part for part in value if isinstance(part, str)]
            yield parts[2] if len(parts) == 3 and parts[1] in ("-c", "-lc") else " ".join(parts)


def _shell_files(line: str) -> Iterator[tuple[str, FileAction]]:
    for match in _PATCH.finditer(line):
        yield match[2].strip(), _PATCH_ACTIONS[match[1]]
    for match in _REMOVE.finditer(line):
        for name in file_names(match[1]):
            yield name, "deleted"
    for match in _REDIRECT.finditer(line):
        for name in file_names(match[1] or match[2]):
            yield name, "created"
    for name in file_names(line):
        yield name, "referenced"
