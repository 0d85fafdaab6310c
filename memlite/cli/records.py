"""Commands about dimensional records: records list, and facts, which is the same."""

from typing import Any, get_args

import click

from memlite.cli import options, output, update
from memlite.cli.options import as_json, open_memory
from memlite.types.records import RecordOrder, RecordType, RecordView
from memlite.types.report import RecordList


@click.group()
def records() -> None:
    """List dated, typed claims, and tell what became of one."""


@click.command("facts")
@click.argument("text", nargs=-1, type=options.text)
@click.option("--type", type=click.Choice(get_args(RecordType)), help="Only this type.")
@click.option("--since", type=options.text, default="", metavar="DATE", help="Only what holds or happens from then on.")
@click.option("--until", type=options.text, default="", metavar="DATE", help="Only what held or happened up to then.")
@click.option("--at", type=options.text, default="", metavar="DATE", help="Only what held or happened then.")
@click.option(
    "--where", type=options.text, default="", metavar="PLACE", help="Only in a place of this name, or part of it."
)
@click.option("--keyword", type=options.text, default="", help="Only with this keyword, in any case and number.")
@click.option("--speaker", type=options.text, default="", help="Only what this person said.")
@click.option(
    "--active/--all", default=True, help="Leave out what a later record superseded, or do not.  [default: active]"
)
@click.option("--as-of", type=options.text, default="", metavar="DATE", help="What was believed then, over or not.")
@click.option("--project", type=options.text, default="", help="Only this project.")
@click.option("--conversation", type=options.text, default="", help="Only this conversation, by the source's id.")
@click.option(
    "--order",
    type=click.Choice(get_args(RecordOrder)),
    default="newest",
    show_default=True,
    help="By when it was said; time: by when it happened.",
)
@click.option(
    "-n", "--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N", help="At most N records."
)
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first N records.")
@as_json
def facts(text: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """List records by their dimensions.

    Dates say when something happened or holds, not when it was said; with one, records that know no time are left out.
    The words of TEXT must all occur. Behind # stands the number of a record, in brackets that of its exchange.

    \b
    Examples:
      memlite records list --type episodic --since 2026-03 --order time
      memlite records list --keyword backup --where berlin
      memlite facts allergic
    """
    found = open_memory().records(" ".join(text), **{**given, "type": given["type"] or ""})
    if as_json:
        output.document(RecordList(found))
        return
    for record in found:
        click.echo("\n".join(lines(record)))
    if not found:
        output.note("no such records")


records.add_command(facts, "list")
records.add_command(update.history)
records.add_command(update.revert)


def lines(record: RecordView) -> list[str]:
    """Return a record as text: what it states, and below that what is known of it."""
    kind = click.style(record.type, bold=True)
    head = f"{kind}  {output.printable(record.content)}  [{record.exchange_id}]  #{record.id}"
    if record.state != "active":
        held = update.interval(record.valid_from, record.valid_to)
        state = update.CLOSED.get(record.closed_how or "", record.state)
        head = f"{head}  ({', '.join(filter(None, (state, held)))})"
    known = {
        "when": _when(record),
        "where": record.location,
        "because": record.reason,
        "for": record.purpose,
        "about": ", ".join(record.keywords),
        "said": " ".join(filter(None, (record.speaker, output.local(record.said_at, "%Y-%m-%d")))),
    }
    return [head, *(f"    {name:<8} {output.printable(value)}" for name, value in known.items() if value)]


def _when(record: RecordView) -> str:
    start, end = record.time_start, record.time_end
    if start == end:
        return start or ""
    if start and end:
        return f"{start} to {end}"
    return f"since {start}" if start else f"until {end}"
