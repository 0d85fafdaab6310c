"""Commands that look after a store: embed, reindex, status."""

from pathlib import Path

import click

from memlite.cli import output
from memlite.cli.options import as_json, open_memory
from memlite.types.report import Accounts, DistillReport, Reading, Status, UpgradeCounts, UpgradeReport


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
    print_report(report, as_json)


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
    print_report(report, as_json)


def print_report(report: DistillReport, as_json: bool) -> None:
    """Print what a run of distilling did."""
    if as_json:
        output.document(report)
    else:
        click.echo(summary(report))


def summary(report: DistillReport) -> str:
    """Return what a run of distilling did, in a line."""
    parts = [f"{output.counted(report.distilled, 'exchange')} distilled", f"{report.embedded:,} embedded"]
    if report.windows:
        parts.append(f"{output.counted(report.records, 'record')} read from {output.counted(report.windows, 'window')}")
    if report.windows_failed:
        parts.append(f"windows failed: {output.reasons(report.windows_failed)}")
    if report.records_refused:
        parts.append(f"records refused: {output.reasons(report.records_refused)}")
    if report.skipped:
        parts.append(f"left as they are: {output.reasons(report.skipped)}")
    if report.failed:
        parts.append(f"{report.failed:,} failed")
    if report.tokens_after:
        parts.append(savings(report))
    if report.pending:
        parts.append(f"still to do: {report.pending:,} (memlite distill)")
    if report.upgrades:
        parts.append(upgraded(report.upgrades))
    return f"{'; '.join(parts)}; {report.seconds:.1f} s"


def upgraded(report: UpgradeReport) -> str:
    """Return what a model did to objects."""
    parts = [f"{report.model}: {output.counted(report.tried, 'object')} tried, {report.improved:,} made better"]
    if report.tried:
        parts.append(f"{report.seconds_each:.2f} s each")
    if report.failed:
        parts.append(f"failed: {output.reasons(report.failed)}")
    if report.pending:
        parts.append(f"not yet tried: {report.pending:,}")
    return ", ".join(parts)


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
        ("accounts", _accounts(found.accounts)),
        ("records", _records(found)),
        ("reading", _reading(found.reading)),
        ("models", _upgrades(found.upgrades)),
        ("to do", f"{waiting.pending:,}" + (" (memlite distill)" if waiting.pending else "")),
        ("failed", f"{waiting.failed:,}" if waiting.failed else ""),
        ("vectors", _vectors(found.embedding)),
        ("projects", _by_name(found.projects)),
        ("sources", _by_name(found.sources)),
    ]
    return [(name, value) for name, value in rows if value]


def _accounts(found: Accounts) -> str:
    """Return what became of all exchanges, as a sum."""
    parts = [f"{found.distilled:,} distilled"]
    parts += [f"{count:,} left as is ({output.printable(reason)})" for reason, count in found.skipped.items()]
    parts += [f"{count:,} failed ({output.printable(reason)})" for reason, count in found.failed.items()]
    parts += [f"{found.pending:,} pending"] if found.pending else []
    return f"{' + '.join(parts)} = {output.counted(found.total, 'exchange')}"


def _records(found: Status) -> str:
    if not sum(found.records.values()):
        return ""
    types = ", ".join(f"{count:,} {type}" for type, count in found.record_types.items() if count)
    superseded = found.records["superseded"]
    return types + (f", {superseded:,} superseded" if superseded else "")


def _reading(found: Reading) -> str:
    """Return how far the exchanges have been read for records, as a sum."""
    parts = [f"{found.read:,} read for records"]
    parts += [f"{found.automated:,} automated"] if found.automated else []
    parts += [f"{count:,} failed ({output.printable(reason)})" for reason, count in found.failed.items()]
    parts += [f"{found.pending:,} pending"] if found.pending else []
    models = [f"; {found.models_read:,} also by a model"] if found.models_read else []
    models += [f"; {count:,} it could not ({output.printable(why)})" for why, count in found.models_failed.items()]
    models += [f"; {found.models_pending:,} wait for it"] if found.models_pending else []
    return f"{' + '.join(parts)} = {output.counted(found.total, 'exchange')}{''.join(models)}"


def _upgrades(found: UpgradeCounts) -> str:
    if not (found.tried or found.pending or found.failed):
        return ""
    parts = [f"{found.tried:,} objects tried, {found.improved:,} made better"]
    if found.pending:
        parts.append(f"{found.pending:,} wait (memlite distill --engine gguf)")
    if found.failed:
        parts.append(f"failed: {output.reasons(found.failed)}")
    return ", ".join(parts)


def _tokens(found: Status) -> str:
    tokens = found.tokens
    if not tokens.after:
        return ""
    before, after = (1000 * count // tokens.exchanges for count in (tokens.before, tokens.after))
    return (
        f"1,000 exchanges cost {after:,} distilled, {before:,} word for word: {tokens.ratio:.1f} times fewer "
        f"({tokens.tokenizer}); {tokens.vocab_survival:.0%} of the 15 rarest words of each are kept, "
        f"{tokens.asked_survival:.0%} of the words asked with"
    )


def _vectors(embedding: dict[str, str | int]) -> str:
    return f"{embedding['model']}, {embedding['dims']} dimensions" if embedding else "none yet"


def _by_name(counts: dict[str, int], most: int = 8) -> str:
    shown = [f"{output.printable(name) or '(none)'} {count:,}" for name, count in list(counts.items())[:most]]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more > 0 else "")
