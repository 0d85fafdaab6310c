"""The command that measures speed and memory on this machine."""

import tempfile
import time
from pathlib import Path

import click

from memlite import config
from memlite.cli import output
from memlite.cli.options import as_json
from memlite.evaluate.bench import figures, run
from memlite.evaluate.bench.stores import Effort, Stores


@click.command()
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(min=20),
    multiple=True,
    default=(500,),
    show_default="500",
    metavar="N",
    help="Exchanges in the store; several times for several stores.",
)
@click.option(
    "--part", "parts", type=click.Choice(list(run.PARTS)), multiple=True, help="Only this; several times for several."
)
@as_json
def bench(sizes: tuple[int, ...], parts: tuple[str, ...], as_json: bool) -> None:
    """Measure speed, memory and size on this machine.

    It fills a store of its own with generated conversations, beside floors on the same text: SQLite's full-text search
    alone, one numpy product over all vectors, one durable row. Times depend on the machine and on what else it does;
    the ratios to the floors less so. Your own store is not opened, and nothing is left behind.

    \b
    Examples:
      memlite bench
      memlite bench --size 15000 --part search --json
    """
    started = time.monotonic()
    chosen = parts or tuple(run.PARTS)
    found = {}
    with tempfile.TemporaryDirectory(prefix="memlite-bench-") as folder:
        stores = Stores(Path(folder), config.cache_dir(), Effort())
        output.note(f"filling stores of {', '.join(f'{size:,}' for size in sizes)} exchanges …")
        for part, measured in run.measure(chosen, sizes, stores):
            found[part] = measured
            if not as_json:
                click.echo(f"{click.style(part, bold=True)}\n{figures.table(measured)}\n")
    report = run.report(found, sizes, started)
    if as_json:
        output.document(report)
    else:
        output.note(
            f"{report.seconds:,.0f} s on {report.machine.cpus} CPUs, {report.machine.system}, Python "
            f"{report.machine.python}, apsw {report.machine.sqlite}, memlite {report.machine.memlite}"
        )
