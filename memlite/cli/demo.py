"""The command `demo`: the whole way from transcripts to answers on one screen, with the conversations that ship.

Everything shown is computed as it is shown, in a store of its own that goes away afterwards.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from memlite.cli import output
from memlite.cli.keep import savings
from memlite.errors import UsageError
from memlite.memory import Memory
from memlite.memory.files import total
from memlite.types.report import DistillReport, ImportReport

WIDTH = 100
BUDGET = 400
PACK_LINES = 6


class Question(NamedTuple):
    """A search that shows one thing memlite can do."""

    why: str
    text: str


QUESTIONS = (
    Question("by meaning, in other words", "What must guests not bring because of the child's condition?"),
    Question("the reason for a decision", "Why doesn't the notifier use a separate broker or in-memory cache?"),
    Question("an exact identifier", "jinja2.exceptions.TemplateNotFound"),
    Question("a person and a date", "When is the appointment with Dr Okafor?"),
)
PACKED = "where does tidewatch run and how is it deployed"


@click.command()
@click.option("--keep", type=click.Path(path_type=Path), metavar="PATH", help="Keep the store at PATH to try more.")
def demo(keep: Path | None) -> None:
    """Show what memlite does, with invented conversations.

    A software project over two months, a personal thread and two friends talking are imported, distilled and searched,
    without a network, in a temporary store.

    \b
    Examples:
      memlite demo
      memlite demo --keep demo.db
    """
    with _place(keep) as path, Memory(path) as memory:
        imported, import_seconds = _import_samples(memory)
        _tell_numbers(imported, import_seconds, memory.distill())
        for question in QUESTIONS:
            _ask(memory, question)
        _tell_pack(memory)
    _tell_next(keep)


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with TemporaryDirectory(prefix="memlite-demo-") as folder:
            yield Path(folder) / "demo.db"
    elif keep.exists():
        raise UsageError(f"{keep} exists already. Give a new path to --keep")
    else:
        yield keep


def _import_samples(memory: Memory) -> tuple[ImportReport, float]:
    started = time.perf_counter()
    with resources.as_file(resources.files("memlite") / "samples") as folder:
        reports = [memory.import_path(path) for path in sorted(folder.glob("*.jsonl"))]
    return total(reports), time.perf_counter() - started


def _tell_numbers(imported: ImportReport, seconds: float, made: DistillReport) -> None:
    click.echo(click.style("memlite demo: three invented histories, one SQLite file, no network", bold=True))
    click.echo(
        f"  imported   {imported.stored} messages in {imported.conversations} conversations, "
        f"{imported.exchanges} exchanges, {seconds:.2f} s"
    )
    click.echo(f"  distilled  {made.distilled} exchanges with a vector each, {made.seconds:.1f} s: {savings(made)}")
    click.echo("  what was said stays word for word beside what was made of it")


def _ask(memory: Memory, question: Question) -> None:
    started = time.perf_counter()
    found = memory.search(question.text, limit=1)
    spent = (time.perf_counter() - started) * 1000
    click.echo()
    click.echo(click.style(f"? {question.text}", bold=True))
    for hit in found:
        routes = " + ".join(step.route for step in hit.trace if step.rank)
        where = hit.conversation.name
        told = (f"{output.local(hit.said_at, '%Y-%m-%d')}, {where}", question.why, f"{spent:.0f} ms", routes)
        click.echo(click.style(_short(" · ".join(told), 1), dim=True))
        if hit.object:
            click.echo(click.style(_short("distilled: " + hit.object.exchange_core), fg="green"))
        click.echo(_short(f"said: {hit.snippet}"))


def _short(text: str, lines: int = 2) -> str:
    wrapped = output.block(" ".join(text.split()), indent="  ", width=WIDTH).split("\n")
    return "\n".join(wrapped[:lines]) + (" …" if len(wrapped) > lines else "")


def _tell_pack(memory: Memory) -> None:
    packed = memory.context(PACKED, budget=BUDGET)
    click.echo()
    click.echo(click.style(f'$ memlite context "{PACKED}" --budget {BUDGET}', bold=True))
    lines = [line for line in packed.text.split("\n") if line.strip("> ")]
    for line in lines[:PACK_LINES]:
        click.echo(_short(line, 1))
    click.echo(f"  … {packed.tokens} tokens for a prompt, from {len(packed.items)} pieces of memory")


def _tell_next(keep: Path | None) -> None:
    db = f"memlite --db {keep}" if keep else "memlite"
    click.echo()
    click.echo(click.style("Next", bold=True) + (f" (the demo's store is kept at {keep})" if keep else ""))
    if not keep:
        click.echo("  memlite init                        make your own store")
        click.echo("  memlite import ~/.claude/projects   bring in your history (JSON and JSONL chats too)")
        click.echo('  memlite search "why did we …"       ask it')
    else:
        click.echo(f'  {db} search "which train do we take"')
        click.echo(f'  {db} context "moving house" --budget 300')
        click.echo(f"  {db} status")
