"""A click group that loads a command's module when the command runs, and the one place where errors become exit codes.

`memlite --help` and shell completion see stand-ins with a name and a help line, so that they cost neither the store nor
a model runtime: 0.2 s of imports on two cores.
"""

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

import click

from memlite.errors import MemliteError

INTERRUPTED = 130
PIPE_CLOSED = 141


class Entry(NamedTuple):
    """A command before it is loaded."""

    name: str
    target: str
    """`module:attribute`"""
    help: str


class _StandIn(click.Command):
    """What is known of a command without importing its module."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.name, help=entry.help, short_help=entry.help)
        self.target = entry.target

    def load(self) -> click.Command:
        module, _, attribute = self.target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


class LazyGroup(click.Group):
    """A group whose commands are given as entries."""

    def __init__(self, *args: Any, entries: Iterable[Entry] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands = {entry.name: _StandIn(entry) for entry in entries}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which a newcomer meets them."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command to run and load it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, _StandIn) else command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what goes wrong becomes one line on stderr and an exit code."""
        try:
            return super().invoke(ctx)
        except MemliteError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("\nInterrupted. What is written stays; the same command goes on from there.", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            # Python flushes stdout once more on its way out and would complain there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(PIPE_CLOSED)
