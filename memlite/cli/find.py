"""Commands that answer: search, show, context."""

from collections.abc import Mapping
from typing import Any, get_args

import click

from memlite.cli import options, output, records, update
from memlite.cli.options import as_json, filters, open_memory
from memlite.errors import UsageError
from memlite.memory import Memory
from memlite.retrieve.analyse import sought
from memlite.retrieve.plans import Fusion
from memlite.retrieve.routes import Fields
from memlite.types.query import Analysis, Hit, ObjectView, Results
from memlite.types.report import ExchangeView

_NARROWING = "project source conversation since until file room speaker type min_messages".split()


@click.command()
@click.argument("text", nargs=-1, type=options.text)
@click.option(
    "-n",
    "-k",
    "--limit",
    "--top-k",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="At most N hits.",
)
@click.option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first N hits.")
@filters
@click.option("--conversation", type=options.text, default="", help="Only this conversation, by the source's id.")
@click.option("--include-automated", is_flag=True, help="Also what no person typed, such as command output.")
@click.option("--fusion", type=click.Choice(get_args(Fusion)), help="How routes become one ranking.")
@click.option(
    "--fields",
    type=click.Choice(get_args(Fields)),
    default="all",
    show_default=True,
    help="Of an object, for keywords.",
)
@click.option("--group", type=click.Choice(["conversation"]), help="Only the best exchange of each.")
@click.option("--min-messages", type=click.IntRange(min=0), default=0, help="Only conversations of this length.")
@click.option("--with-tools", is_flag=True, help="Look into tool calls and their output too.")
@click.option("--sort", type=click.Choice(["relevance", "newest", "oldest"]), default="relevance", show_default=True)
@click.option(
    "--analyser",
    type=click.Choice(["rules", "gguf"]),
    default="rules",
    show_default=True,
    help="What reads the question: rules, or the language model.",
)
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@click.option("--full", is_flag=True, help="Show whole exchanges.")
@click.option("--fail-empty", is_flag=True, help="Exit with 1 when nothing is found.")
@as_json
def search(text: tuple[str, ...], *, explain: bool, full: bool, fail_empty: bool, as_json: bool, **given: Any) -> None:
    """Find the exchanges that answer a question.

    "A phrase" and +word must occur, -word must not. Without text, the filters alone say what to list, newest first.
    Dates: 2026, 2026-05, 2026-05-03, today, yesterday, last week, 3 days ago.

    \b
    Examples:
      memlite search why did we drop redis
      memlite search "queue -redis" --project tidewatch --since 2026-03
      memlite search --since "last week"
    """
    question = " ".join(text)
    if not question.strip() and not any(given[name] for name in _NARROWING):
        raise UsageError("there is nothing to look for. Give some words, or a filter such as --since today")
    memory = open_memory()
    results = memory.search(question, **options.asked(given))
    if as_json:
        output.document(results)
    else:
        if explain:
            click.echo("\n".join([*_understood(results.query.analysis), ""]))
        _print_results(results, given["offset"], explain=explain, full=full)
        _print_notes(memory, results, given)
    if fail_empty and not results.hits:
        click.get_current_context().exit(1)


def _print_results(results: Results, offset: int, *, explain: bool, full: bool) -> None:
    words = sought(results.query)
    for rank, hit in enumerate(results, start=offset + 1):
        click.echo(headline(hit, rank))
        for line in core_lines(hit.object):
            click.echo(click.style(output.block(line), fg="green"))
        click.echo(output.highlight(output.block(hit.text if full else hit.snippet), words))
        if hit.assistant and not full:
            click.echo(output.block(f"assistant: {hit.assistant}"))
        for record in hit.records:
            if record.closed_how in ("supersede", "retract"):
                held = update.interval(record.valid_from, record.valid_to)
                click.echo(output.block(f"held {held}: {record.content}" if held else f"is over: {record.content}"))
        if explain:
            click.echo("\n".join(_explained(hit)))
        click.echo()


def headline(hit: Hit, rank: int) -> str:
    """Return the line above a hit: rank, score, when, where, id."""
    where = " · ".join(filter(None, (hit.conversation.project, hit.conversation.name)))
    head = click.style(f"{rank:>2}", bold=True) + f"  {hit.score:.3f}  {output.local(hit.said_at, '%Y-%m-%d')}"
    return f"{head}  {output.printable(where)}  [{hit.exchange_id}]"


def core_lines(made: ObjectView | None) -> list[str]:
    """Return the distilled core, and the exact detail where the core does not hold it."""
    if made is None:
        return []
    return [line for line in (made.exchange_core, made.detail) if line]


def _understood(analysis: Analysis) -> list[str]:
    """Say what the question asks of records, and from when its times were reckoned."""
    times = [f"{time.text!r}: {time.first or 'the beginning'} to {time.last or 'the end'}" for time in analysis.times]
    told = {
        "asks for": analysis.answer_dim,
        "types": ", ".join(analysis.types),
        "times": ", ".join([*times, *(f"{text!r}: open" for text in analysis.open_times)]),
        "asked": analysis.asked_at,
        "places": ", ".join(analysis.locations),
        "keywords": ", ".join(analysis.keywords),
        "assistant": analysis.assistant_reason,
    }
    return [f"{name:<10} {output.printable(value)}" for name, value in told.items() if value]


def _explained(hit: Hit) -> list[str]:
    lines = [
        f"    {step.route:<21} {f'rank {step.rank}' if step.rank else '':<9} score {step.score:>8.3f}"
        f"  adds {step.contribution:.4f}"
        for step in hit.trace
    ]
    stated = [
        f"    {output.printable(record.content)}  "
        + ", ".join(f"{what} {share:.2f}" for what, share in record.matched.items())
        for record in hit.records
    ]
    return [*lines, f"    {'sum':<46}      {hit.score:.4f}", *stated]


def _print_notes(memory: Memory, results: Results, given: Mapping[str, Any]) -> None:
    looked = results.query.filters
    if looked.since or looked.until:
        first = output.local(looked.since) if looked.since else "the beginning"
        output.note(f"said from {first} to {output.local(looked.until) if looked.until else 'now'} ({_zone()})")
    output.note("; ".join(_routes(results)))
    covered = results.coverage
    if covered.waiting:
        output.note(
            f"of {output.counted(covered.exchanges, 'exchange')} {covered.distilled:,} are distilled and "
            f"{covered.embedded:,} embedded, {covered.waiting:,} wait: memlite distill"
        )
    if not results.hits:
        output.note("nothing found")
        for line in _unknown_names(memory, given):
            output.note(line)


def _zone() -> str:
    return output.local("1970-01-01T00:00:00Z", "%Z")


def _routes(results: Results) -> list[str]:
    return [
        f"{route.name}:{route.layer} "
        + (f"gave {route.candidates:,}" if route.ran else "did not run")
        + (f": {route.why}" if route.why else "")
        for route in results.routes
    ]


def _unknown_names(memory: Memory, given: Mapping[str, Any]) -> list[str]:
    """Say which project or source the store does not have, and which it has."""
    status = memory.status()
    return [
        f"there is no {what} {given[what]!r}. There is: {', '.join(filter(None, known)) or 'none'}"
        for what, known in (("project", status.projects), ("source", status.sources))
        if given[what] and given[what] not in known
    ]


@click.command()
@click.argument("exchange_id", metavar="ID", type=int)
@as_json
def show(exchange_id: int, as_json: bool) -> None:
    """Show an exchange word for word, with its object and its records.

    ID is the number in brackets that search prints.

    \b
    Examples:
      memlite show 17
    """
    view = open_memory().get(exchange_id)
    if as_json:
        output.document(view)
    else:
        click.echo("\n".join(_view_lines(view)))


def _view_lines(view: ExchangeView) -> list[str]:
    where = view.conversation
    lines = [
        click.style(output.printable(f"[{view.exchange_id}] {where.name}"), bold=True),
        output.printable(f"{where.source} · {where.external_id}" + (f" · {where.project}" if where.project else "")),
    ]
    for message in view.messages:
        who = click.style(output.printable(message.speaker or message.role), bold=True)
        lines += ["", f"{who}  {output.local(message.said_at)}", output.block(message.content, indent="")]
    if view.object:
        lines += ["", click.style("distilled", bold=True), *map(output.block, core_lines(view.object))]
        lines += [f"    {room.type} room: {output.printable(room.label)}" for room in view.object.rooms]
        lines += [f"    file {file.action}: {output.printable(file.path)}" for file in view.object.files]
    if view.records:
        lines += ["", click.style("records", bold=True)]
        lines += [f"    {line}" for record in view.records for line in records.lines(record)]
    if view.resume:
        lines += ["", f"go on with: {output.printable(view.resume)}"]
    return lines


@click.command()
@click.argument("text", nargs=-1, required=True, type=options.text)
@click.option(
    "--budget", type=click.IntRange(min=1), default=2000, show_default=True, metavar="N", help="At most N tokens."
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="At most N exchanges."
)
@filters
@as_json
def context(text: tuple[str, ...], budget: int, limit: int, as_json: bool, **given: Any) -> None:
    """Print what is known about a question, for a prompt.

    The text is quoted between marks and never over the budget. It holds what was distilled first, then what was said
    word for word where that fits.

    \b
    Examples:
      memlite context "why did we drop redis" --budget 1500
    """
    packed = open_memory().context(" ".join(text), budget=budget, limit=limit, **options.asked(given))
    if as_json:
        output.document(packed)
        return
    if packed.text:
        click.echo(output.printable(packed.text))
    output.note(
        f"{packed.tokens:,} of {budget:,} tokens" if packed.text else f"nothing found that fits {budget:,} tokens"
    )
