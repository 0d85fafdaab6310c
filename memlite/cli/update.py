"""Commands about memory that changes its mind: update, and what became of a record."""

from collections.abc import Iterator

import click

from memlite.cli import output
from memlite.cli.options import as_json, open_memory
from memlite.types.update import History, Step, UpdateReport

CLOSED = {"merge": "merged", "supersede": "superseded", "retract": "ended"}


@click.command()
@click.option("--dry-run", is_flag=True, help="Tell what would change, and change nothing.")
@as_json
def update(dry_run: bool, as_json: bool) -> None:
    """Compare all records: what is said twice, what is new, what is over.

    New records are compared when they are made; this compares all of them. Nothing is deleted: a record that gives way
    keeps the time until which it held, and can be brought back. Interrupted, it goes on where it stopped.

    \b
    Examples:
      memlite update --dry-run
      memlite records list --all
      memlite records history 12
    """
    memory = open_memory()
    with output.progress() as bars:
        report = memory.update(dry_run=dry_run, progress=bars)
    if as_json:
        output.document(report)
    else:
        click.echo("\n".join(_lines(report)))


def _lines(report: UpdateReport) -> Iterator[str]:
    yield f"{output.counted(report.records, 'record')} compared{', nothing changed' if report.dry_run else ''}"
    yield (
        f"{output.counted(report.pairs, 'pair')} shared a keyword, {report.by_keywords:,} passed the gate, "
        f"{report.decided_by_words:,} decided by words, {report.compared:,} by vectors"
    )
    share = report.embeddings_avoided / report.records if report.records else 0.0
    yield (
        f"vectors: {report.embeddings_computed:,} made, {report.embeddings_reused:,} used again, "
        f"{report.embeddings_avoided:,} of {report.records:,} not needed ({share:.1%})"
    )
    yield f"decisions: {output.reasons(report.decisions)}"
    yield (
        f"{output.counted(report.superseded, 'record')} gave way, {report.restored:,} came back; "
        f"{report.model_calls:,} model calls; {report.seconds:.1f} s"
    )


@click.command("history")
@click.argument("record_id", metavar="ID", type=int)
@as_json
def history(record_id: int, as_json: bool) -> None:
    """Show every decision about a record, and why.

    \b
    Example:
      memlite records history 12
    """
    _show(open_memory().history(record_id), as_json)


@click.command("revert")
@click.argument("record_id", metavar="ID", type=int)
@as_json
def revert(record_id: int, as_json: bool) -> None:
    """Bring a record back that another took the place of.

    What was decided stays in its history, and is not decided again.

    \b
    Example:
      memlite records revert 12
    """
    _show(open_memory().revert(record_id), as_json)


def _show(found: History, as_json: bool) -> None:
    if as_json:
        output.document(found)
        return
    click.echo(f"{found.id}  {output.printable(found.content)}")
    held = interval(found.valid_from, found.valid_to)
    closer = found.closed_by or "a record that is gone"
    closed = f", {CLOSED[found.closed_how]} by {closer}" if found.closed_how else ""
    click.echo(f"    {found.state}{f', {held}' if held else ''}{closed}")
    click.echo(f"    rests on {output.counted(len(found.sources), 'message')}")
    for step in found.steps:
        click.echo("\n".join(_step(step)))
    if not found.steps:
        output.note("no other record was found to speak of the same")


def _step(step: Step) -> Iterator[str]:
    taken_back = f"  (taken back {output.local(step.reverted_at)})" if step.reverted_at else ""
    yield f"{click.style(step.kind, bold=True)}  {output.printable(step.reason)}{taken_back}"
    yield f"    earlier  {step.old_id}  {output.printable(step.old)}"
    yield f"    later    {step.new_id}  {output.printable(step.new)}"
    cosine = "" if step.cosine is None else f", cosine {step.cosine:.2f}"
    yield f"    by {step.engine} on {output.local(step.decided_at)}, keywords {step.keywords:.2f}{cosine}"


def interval(since: str | None, until: str | None) -> str:
    """Return when a record held, in words; "" where it is not known."""
    first, last = (output.local(instant, "%Y-%m-%d") if instant else "" for instant in (since, until))
    if first and last:
        return f"{first} to {last}"
    return f"since {first}" if first else f"until {last}" if last else ""
