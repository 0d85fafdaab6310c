"""Commands that look after a store: distill, embed, reindex, status."""

from pathlib import Path

import click

from memlite.cli import output
from memlite.cli.options import as_json, open_memory
from memlite.types.report import DistillReport, Status


@click.command()
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Distil at most N exchanges.")
@click.option("--engine", default="extractive", show_default=True, help="What makes the objects.")
@click.option("--no-embed", is_flag=True, help="Make objects only, no vectors.")
@as_json
def distill(limit: int | None, engine: str, no_embed: bool, as_json: bool) -> None:
    """Make the objects and vectors that wait.

    Exchanges that are stored already are found by keyword before this; afterwards also by meaning. The work can be
    interrupted at any time and goes on where it stopped.

    \b
    Examples:
      memlite distill
      memlite distill --limit 1000
    """
    memory = open_memory()
    with output.progress() as bars:
        report = memory.distill(engine=engine, limit=limit, embed=not no_embed, progress=bars)
    _print_report(report, as_json)


@click.command()
@click.option("--verbatim", is_flag=True, help="From now on also vectors of what was said, word for word.")
@as_json
def embed(verbatim: bool, as_json: bool) -> None:
    """Make the vectors that wait.

    The usual vectors are made of the objects. Verbatim ones find a paraphrase of what an object leaves out; they take
    some ten times as long, and are searched with --mode dense:verbatim.

    \b
    Examples:
      memlite embed
      memlite embed --verbatim
    """
    memory = open_memory()
    with output.progress() as bars:
        report = memory.embed(verbatim=verbatim, progress=bars)
    _print_report(report, as_json)


@click.command()
@click.option("--vectors", is_flag=True, help="Make all vectors again too; takes the store over to another model.")
@as_json
def reindex(vectors: bool, as_json: bool) -> None:
    """Make the indexes again from the text.

    Nothing said is lost or changed: keyword indexes and vectors are made of the stored text and objects.

    \b
    Examples:
      memlite reindex
      memlite reindex --vectors
    """
    memory = open_memory()
    with output.progress() as bars:
        report = memory.reindex(vectors=vectors, progress=bars)
    if not as_json:
        click.echo("keyword indexes made again")
    _print_report(report, as_json)


def _print_report(report: DistillReport, as_json: bool) -> None:
    if as_json:
        output.document(report)
    else:
        click.echo(summary(report))


def summary(report: DistillReport) -> str:
    """Return what a run of distilling did, in a line."""
    parts = [f"{output.counted(report.distilled, 'exchange')} distilled", f"{report.embedded:,} embedded"]
    if report.skipped:
        parts.append(f"left as they are: {output.reasons(report.skipped)}")
    if report.failed:
        parts.append(f"{report.failed:,} failed")
    if report.tokens_after:
        parts.append(savings(report))
    if report.pending:
        parts.append(f"still to do: {report.pending:,} (memlite distill)")
    return f"{'; '.join(parts)}; {report.seconds:.1f} s"


def savings(report: DistillReport) -> str:
    """Return what a run that made objects did to the tokens of their exchanges."""
    ratio = report.tokens_before / report.tokens_after
    return f"{report.tokens_before:,} tokens became {report.tokens_after:,} ({ratio:.1f} times fewer)"


@click.command()
@as_json
def status(as_json: bool) -> None:
    """Show what the store holds and what waits.

    \b
    Examples:
      memlite status
      memlite status --json
    """
    found = open_memory().status()
    if as_json:
        output.document(found)
        return
    for name, value in _rows(found):
        click.echo(f"{name:<14}{value}")


def _rows(found: Status) -> list[tuple[str, str]]:
    objects = ", ".join(f"{count:,} {engine}" for engine, count in found.objects.items() if count)
    waiting = found.tasks
    rows = [
        ("store", str(Path(found.path).absolute())),
        ("size", f"{found.size_bytes / 1e6:,.1f} MB, schema {found.schema}, SQLite {found.sqlite}, vec {found.vec}"),
        ("conversations", f"{found.conversations:,}"),
        ("messages", f"{found.messages:,}"),
        ("exchanges", f"{found.exchanges:,}" + (f" ({found.automated:,} automated)" if found.automated else "")),
        ("objects", objects or "none"),
        ("tokens", _tokens(found)),
        ("to do", f"{waiting.pending:,}" + (" (memlite distill)" if waiting.pending else "")),
        ("left as is", output.reasons(waiting.skipped)),
        ("failed", f"{waiting.failed:,}" if waiting.failed else ""),
        ("vectors", _vectors(found.embedding)),
        ("projects", _by_name(found.projects)),
        ("sources", _by_name(found.sources)),
    ]
    return [(name, value) for name, value in rows if value]


def _tokens(found: Status) -> str:
    tokens = found.tokens
    if not tokens.after:
        return ""
    before, after = (1000 * count // tokens.exchanges for count in (tokens.before, tokens.after))
    return (
        f"1,000 exchanges cost {after:,} distilled, {before:,} word for word: {tokens.ratio:.1f} times fewer "
        f"({tokens.tokenizer}); {tokens.vocab_survival:.0%} of the 15 rarest words of each are kept"
    )


def _vectors(embedding: dict[str, str | int]) -> str:
    return f"{embedding['model']}, {embedding['dims']} dimensions" if embedding else "none yet"


def _by_name(counts: dict[str, int], most: int = 8) -> str:
    shown = [f"{output.printable(name) or '(none)'} {count:,}" for name, count in list(counts.items())[:most]]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more > 0 else "")
