"""The command that takes things out of a store for good."""

import sys

import click

from memlite.cli import options, output
from memlite.cli.options import as_json, open_memory
from memlite.errors import UsageError
from memlite.types.forget import ForgetReport

COUNTED = ("conversations", "messages", "objects", "records", "vectors", "tool_uses", "rooms")


@click.command()
@click.option("--conversation", type=options.text, default="", help="A whole conversation, by the source's id.")
@click.option("--exchange", type=int, metavar="ID", help="One exchange, as search numbers them.")
@click.option("--record", type=int, metavar="ID", help="What one record states; what was said stays.")
@click.option("--project", type=options.text, default="", help="A project.")
@click.option("--source", type=options.text, default="", help="A format such as claude-code, or an imported file.")
@click.option("--since", type=options.text, default="", metavar="DATE", help="What was said from this date on.")
@click.option("--until", type=options.text, default="", metavar="DATE", help="What was said up to this date, included.")
@click.option("--speaker", type=options.text, default="", help="What this person said.")
@click.option("--query", type=options.text, default="", metavar="WORDS", help="Exchanges that hold all these words.")
@click.option("--dry-run", is_flag=True, help="Only say what would be gone.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json
def forget(
    conversation: str,
    exchange: int | None,
    record: int | None,
    project: str,
    source: str,
    since: str,
    until: str,
    speaker: str,
    query: str,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Forget things for good: the text, what was made of it, its bytes.

    What all of the options name goes; a record may be named by itself. What else rests on other texts stays. What was
    forgotten does not come back when it is imported again, unless with --allow-reimport. Backups and exports are yours
    to delete. Asks first when a person is there.

    \b
    Examples:
      memlite forget --conversation b41c --dry-run
      memlite forget --project old-job --until 2024-12-31
      memlite forget --query '"maiden name"' --yes
    """
    memory = open_memory()

    def run(*, dry_run: bool) -> ForgetReport:
        return memory.forget(
            conversation=conversation,
            exchange=exchange,
            record=record,
            project=project,
            source=source,
            since=since,
            until=until,
            speaker=speaker,
            query=query,
            dry_run=dry_run,
        )

    if not (dry_run or yes) and sys.stdin.isatty():
        click.echo(_line("this would forget", run(dry_run=True)), err=True)
        if not click.confirm("Forget it for good?", err=True):
            raise UsageError("nothing was forgotten")
    report = run(dry_run=dry_run)
    if as_json:
        output.document(report)
        return
    click.echo(_line("would forget" if dry_run else "forgot", report))
    if report.log_held:
        output.note(
            "another process still reads an older state, so the bytes stay in the write-ahead log until it ends. "
            "Then run any memlite command once"
        )


def _line(verb: str, report: ForgetReport) -> str:
    counts = [output.counted(getattr(report, name), name.replace("_", " ").removesuffix("s")) for name in COUNTED]
    left = (
        f"; {output.counted(report.remade, 'exchange')} of which a part stays: memlite distill" if report.remade else ""
    )
    return f"{verb} {output.counted(report.exchanges, 'exchange')}: {', '.join(counts)}{left}"
