"""What several commands share: options, the type of typed text, opening the store."""

import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from memlite import config
from memlite.cli import output
from memlite.errors import StoreLocked, UsageError
from memlite.memory import Memory
from memlite.retrieve.plans import PLANS, ROUTES
from memlite.text import times
from memlite.types.query import Recall
from memlite.types.records import RecordType

Result = TypeVar("Result")
Command = TypeVar("Command", bound=Callable[..., Any])


def text(value: str) -> str:
    """Return text as typed. Bytes that are not UTF-8 become U+FFFD, since no store takes half characters."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def filters(command: Command) -> Command:
    """Add the options that say where to look and how."""
    for option in reversed(
        (
            click.option(
                "--mode",
                type=text,
                default="auto",
                show_default=True,
                help=f"How to look: {', '.join(PLANS)}, or routes joined by +: {', '.join(ROUTES)}.",
            ),
            click.option("--project", type=text, default="", help="Only this project."),
            click.option("--file", type=text, default="", help="Only what touches this file (a path or its end)."),
            click.option("--room", type=text, default="", help="Only this room."),
            click.option("--speaker", type=text, default="", help="Only where this person speaks."),
            click.option("--type", type=click.Choice(get_args(RecordType)), help="Only what has such a record."),
            click.option("--source", type=text, default="", help="Only this source, such as claude-code."),
            click.option(
                "--since", "--after", type=text, default="", metavar="DATE", help="From this date on (2026-05)."
            ),
            click.option(
                "--until", "--before", type=text, default="", metavar="DATE", help="Up to this date, included."
            ),
            click.option(
                "--recall",
                type=click.Choice(get_args(Recall)),
                default="auto",
                show_default=True,
                help="Add what the assistant said: when the question asks for it, never, or always.",
            ),
            click.option(
                "--asked-at",
                type=text,
                default="",
                metavar="DATE",
                help="The day that times in the question are reckoned from.  [default: today]",
            ),
            click.option(
                "--as-of", type=text, default="", metavar="DATE", help="Put first what held then, not what holds now."
            ),
        )
    ):
        command = option(command)
    return command


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a search as the library takes them."""
    options = {name: value for name, value in given.items() if name != "asked_at"}
    day = times.resolve(given["asked_at"])[0] if given["asked_at"] else ""
    return {
        **{name: "" if value is None else value for name, value in options.items()},
        "asked_at": datetime.fromisoformat(day).astimezone() if day else None,
    }


def open_memory(*, create: bool = False, key: str | None = None) -> Memory:
    """Open the store the user means; it is closed when the command ends. A new one gets the key, if one is given."""
    ctx = click.get_current_context()
    path = config.store_path(ctx.obj)
    memory = Memory(path, key=key) if key else with_key(path, lambda found: Memory(path, create=create, key=found))
    ctx.call_on_close(memory.close)
    if memory.is_exposed:
        output.note(f"others on this machine can read {path}. Make it yours alone: chmod 600 {path}")
    return memory


# -- keys of encrypted stores: never an argument --

KEY_FD = "memlite.key_fd"
"""Where the context keeps the number of the descriptor that --key-fd names."""


def with_key(path: Path, use: Callable[[str | None], Result]) -> Result:
    """Do something with a store: with the key from --key-fd, else as it is, and where that fails with one asked for."""
    given = key_from(click.get_current_context().meta.get(KEY_FD))
    try:
        return use(given)
    except StoreLocked:
        if given is not None or not sys.stdin.isatty():
            raise
    return use(click.prompt(f"Key of {path}", hide_input=True, err=True))


def key_for_new_store() -> str:
    """Return the key that a new store is to have: from --key-fd, MEMLITE_KEY or, asked for twice, the prompt."""
    descriptor = click.get_current_context().meta.get(KEY_FD)
    return (config.key() if descriptor is None else "") or new_key(descriptor)


def new_key(descriptor: int | None) -> str:
    """Return a key for a store: from a file descriptor, else asked for twice."""
    key = key_from(descriptor)
    if key is None and sys.stdin.isatty():
        key = click.prompt("New key", hide_input=True, confirmation_prompt=True, err=True)
    if not key:
        raise UsageError("there is no key. Type it at the prompt, or give the number of a file descriptor that has it")
    return key


def key_from(descriptor: int | None) -> str | None:
    """Read a key, one line, from a file descriptor; None where none is given."""
    if descriptor is None:
        return None
    try:
        with os.fdopen(descriptor, encoding="utf-8") as stream:
            return stream.readline().rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read a key from the file descriptor {descriptor}: {error}") from error
