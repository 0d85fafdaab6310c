"""The command that makes objects and records: by rules, by a local model, or by any model elsewhere through files."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import click
from click.core import ParameterSource

from memlite import config
from memlite.cli import options, output
from memlite.cli.intake import messages_on_stdin
from memlite.cli.keep import print_report
from memlite.cli.options import as_json, open_memory
from memlite.distill.strategies import STRATEGIES
from memlite.errors import UsageError
from memlite.memory.single import distil_messages
from memlite.models import loading
from memlite.models.base import Generator
from memlite.types.report import ObjectsReport

# What may be said beside each way to use the command; all else would be passed over in silence, and is refused.
BESIDE: dict[str, frozenset[str]] = {
    "--engine extractive": frozenset({"engine", "limit", "minutes", "project", "upgrade", "no_embed"}),
    "--engine gguf": frozenset(
        {"engine", "model", "strategy", "threads", "limit", "minutes", "project", "upgrade", "no_embed"}
    ),
    "--export": frozenset({"export", "limit", "project", "upgrade"}),
    "--import": frozenset({"import_", "no_embed"}),
    "--stdin": frozenset({"stdin", "engine"}),
    "--stdin --engine gguf": frozenset({"stdin", "engine", "model", "strategy", "threads"}),
}


@click.command()
@click.option(
    "--engine",
    type=click.Choice(["extractive", "gguf"]),
    default="extractive",
    show_default=True,
    help="What makes the objects: rules, or a local model that makes theirs better.",
)
@click.option(
    "--model",
    type=options.text,
    metavar="NAME|PATH",
    help="The model of gguf. Default: $MEMLITE_MODEL, then the one that is installed.",
)
@click.option(
    "--strategy",
    type=click.Choice([*STRATEGIES]),
    help="How the model is asked. Default: by its size.",
)
@click.option(
    "--limit", type=click.IntRange(min=0), metavar="N", help="At most N exchanges; with gguf, of the model's."
)
@click.option("--minutes", type=click.FloatRange(min=0), metavar="M", help="Stop after M minutes, between exchanges.")
@click.option("--project", type=options.text, default="", help="Only this project.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads of the model.")
@click.option("--upgrade", is_flag=True, help="Also what older rules, another model or an older prompt made.")
@click.option("--no-embed", is_flag=True, help="Make no vectors.")
@click.option(
    "--export",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True, dir_okay=False),
    help="Write what waits for a better object, as JSON lines; - is stdout.",
)
@click.option(
    "--import",
    "import_",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True, dir_okay=False, exists=True),
    help="Take objects that were made elsewhere, as JSON lines; - is stdin.",
)
@click.option("--stdin", is_flag=True, help="Print the object of the conversation on stdin; needs no store.")
@as_json
@click.pass_context
def distill(ctx: click.Context, /, as_json: bool, **given: Any) -> None:
    """Make the objects, records and vectors that wait, or better ones.

    Exchanges that are stored already are found by keyword before this; afterwards also by meaning. With --engine gguf a
    local model then tries each object, the newest, longest and poorest first; what it cannot prove by the exchange
    stays as it is. One of some size then reads for records too. The work can be interrupted at any time and goes on
    where it stopped.

    \b
    Examples:
      memlite distill
      memlite distill --engine gguf --minutes 30
      memlite distill --export waiting.jsonl --limit 100
      memlite distill --import objects.jsonl
      memlite distill --stdin < conversation.json
    """
    way = _way(given)
    _refuse_idle(ctx, way)
    if way == "--export":
        _export(given, as_json)
    elif way == "--import":
        _import(given, as_json)
    elif given["stdin"]:
        generator = _generator(given)
        output.document(distil_messages(messages_on_stdin(), generator, given["strategy"]))
    else:
        names = ("engine", "model", "strategy", "limit", "minutes", "project", "upgrade", "threads")
        memory = open_memory()
        with output.progress() as bars:
            report = memory.distill(**{name: given[name] for name in names}, embed=not given["no_embed"], progress=bars)
        print_report(report, as_json)


def _generator(given: dict[str, Any]) -> Generator | None:
    if given["engine"] != "gguf":
        return None
    return loading.load_generator(given["model"], given["threads"] or config.threads())


def _way(given: dict[str, Any]) -> str:
    """Return the way in which the command is used: a key of BESIDE."""
    ways = {"--export": given["export"], "--import": given["import_"], "--stdin": given["stdin"]}
    chosen = [way for way, value in ways.items() if value]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} are different things to do. Give one of them")
    engine = f"--engine {given['engine']}"
    if not chosen:
        return engine
    return f"{chosen[0]} {engine}" if f"{chosen[0]} {engine}" in BESIDE else chosen[0]


def _refuse_idle(ctx: click.Context, way: str) -> None:
    """Refuse options that the way in which the command is used would pass over."""
    idle = [
        param
        for param in ctx.command.params
        if ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        and param.name not in BESIDE[way] | {"as_json"}
    ]
    if idle:
        names = ", ".join(param.opts[0] for param in idle)
        remedy = (
            ", or add --engine gguf" if all(param.name in ("model", "strategy", "threads") for param in idle) else ""
        )
        raise UsageError(f"{names} cannot go with {way}. Leave it out{remedy}")


def _export(given: dict[str, Any], as_json: bool) -> None:
    memory = open_memory()
    path: Path = given["export"]
    with _writing(path) as stream:
        count = memory.export_waiting(stream, project=given["project"], limit=given["limit"], upgrade=given["upgrade"])
    if str(path) == "-":
        return
    if as_json:
        output.document({"exported": count, "path": str(path), "schema_version": 1})
    else:
        click.echo(f"{output.counted(count, 'exchange')} written to {path}")


@contextmanager
def _writing(path: Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        # Only the owner may read what was said, as with the store itself.
        with open(path, "wb", opener=partial(os.open, mode=0o600)) as stream:
            yield stream
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}. Give another path") from error


def _import(given: dict[str, Any], as_json: bool) -> None:
    memory = open_memory()
    path: Path = given["import_"]
    data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    report = memory.import_objects(io.BytesIO(data), name=str(path), embed=not given["no_embed"])
    if as_json:
        output.document(report)
    else:
        click.echo("\n".join(_lines(report)))


def _lines(report: ObjectsReport) -> Iterator[str]:
    kept, refused = sum(report.kept.values()), sum(report.refused.values())
    yield (
        f"{output.counted(report.lines_in, 'line')}: {report.improved:,} made an object better, "
        f"{kept:,} did not, {refused:,} refused"
    )
    if report.kept:
        yield f"objects kept as they were: {output.reasons(report.kept)}"
    if report.refused:
        yield f"refused: {output.reasons(report.refused)}"
    yield from output.issues(report.issues)
