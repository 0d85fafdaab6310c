"""The command: each one parses, makes one call, prints. Data goes to stdout, everything else to stderr."""

import io
import signal
import sys

import click

from memlite import config
from memlite.cli.group import Entry, LazyGroup

COMMANDS = (
    Entry("demo", "memlite.cli.demo:demo", "Show what memlite does, with invented conversations."),
    Entry("init", "memlite.cli.intake:init", "Make a store."),
    Entry("add", "memlite.cli.intake:add", "Store a message, or messages from stdin."),
    Entry("import", "memlite.cli.intake:import_", "Import transcripts from files and folders."),
    Entry("distill", "memlite.cli.think:distill", "Make the objects, records and vectors that wait, or better ones."),
    Entry("update", "memlite.cli.update:update", "Compare all records: what is said twice, what is new, what is over."),
    Entry("embed", "memlite.cli.keep:embed", "Make the vectors that wait."),
    Entry("search", "memlite.cli.find:search", "Find the exchanges that answer a question."),
    Entry("show", "memlite.cli.find:show", "Show an exchange word for word, with its object and its records."),
    Entry("records", "memlite.cli.records:records", "List dated, typed claims, and tell what became of one."),
    Entry("facts", "memlite.cli.records:facts", "List records by their dimensions."),
    Entry("context", "memlite.cli.find:context", "Print what is known about a question, for a prompt."),
    Entry("status", "memlite.cli.keep:status", "Show what the store holds and what waits."),
    Entry("models", "memlite.cli.models:models", "List, add, check and download language models."),
    Entry("reindex", "memlite.cli.keep:reindex", "Make the indexes again from the text."),
    Entry("forget", "memlite.cli.forget:forget", "Forget things for good: the text, what was made of it, its bytes."),
    Entry("doctor", "memlite.cli.safety:doctor", "Look whether the store is well, and say what to do."),
    Entry("backup", "memlite.cli.safety:backup", "Copy the store, and read the copy through."),
    Entry("restore", "memlite.cli.safety:restore", "Put a backup in the place of the store."),
    Entry("export", "memlite.cli.safety:export", "Write everything the store holds as lines of JSON."),
    Entry("rekey", "memlite.cli.safety:rekey", "Encrypt the store, or give it another key."),
    Entry("bench", "memlite.cli.bench:bench", "Measure speed, memory and size on this machine."),
    Entry("eval", "memlite.cli.evaluate:evaluate", "Measure how well memlite finds, on your history too."),
)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 nothing found (--fail-empty), 2 usage, 3 no store, 4 store damaged or too new, "
    "5 busy, 6 model unusable, 130 interrupted.",
)
@click.option("--db", metavar="PATH", help="The store. Default: $MEMLITE_DB, then memlite.db in your data folder.")
@click.option("--key-fd", type=int, metavar="N", help="Read the key of an encrypted store from this file descriptor.")
@click.version_option(package_name="memlite", message="%(prog)s %(version)s")
@click.pass_context
def command(ctx: click.Context, db: str | None, key_fd: int | None) -> None:
    """Long-term memory for AI agents in one SQLite file."""
    ctx.obj = db
    ctx.meta["memlite.key_fd"] = key_fd
    if not config.wants_colour():
        ctx.color = False
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A code page of the terminal must not decide whether a memory can be printed.
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Asked to end, a command leaves the store as it does when interrupted: what it holds is given back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    command(prog_name="memlite")
