"""What several commands share: options, the type of typed text, opening the store."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar, get_args

import click

from memlite import config
from memlite.memory import Memory
from memlite.retrieve.plans import PLANS, ROUTES
from memlite.text import times
from memlite.types.query import Recall
from memlite.types.records import RecordType

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


def open_memory(*, create: bool = False) -> Memory:
    """Open the store the user means; it is closed when the command ends."""
    ctx = click.get_current_context()
    memory = Memory(config.store_path(ctx.obj), create=create)
    ctx.call_on_close(memory.close)
    return memory
