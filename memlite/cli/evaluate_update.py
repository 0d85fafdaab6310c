"""The command that holds the rules of update against pairs of records that a person labelled."""

from collections.abc import Iterator
from pathlib import Path

import click

from memlite.cli import output
from memlite.cli.options import as_json
from memlite.evaluate import tables
from memlite.evaluate import update as pairs_of


@click.command("update")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--misses", is_flag=True, help="Also print every pair that was decided otherwise than labelled.")
@as_json
def update(file: Path, misses: bool, as_json: bool) -> None:
    """Tell how often the rules of update decide as a person did.

    FILE has one labelled pair a line, as JSON; no store is opened and no model is asked.

    \b
    Example:
      memlite eval update tests/data/update/develop.jsonl
    """
    found = pairs_of.measure(pairs_of.read_pairs(file))
    if as_json:
        output.document(found)
        return
    click.echo("\n".join(_lines(found)))
    if misses:
        click.echo("\n".join(_misses(found)))


def _lines(found: pairs_of.UpdateScores) -> Iterator[str]:
    yield f"{output.counted(found.pairs, 'pair')}, {found.right:,} decided as labelled, by rules alone"
    yield f"{found.traps_kept:,} of {output.counted(found.traps, 'trap')} kept apart"
    head = ["labelled", "precision", "recall", *(f"as {label}" for label in pairs_of.LABELS)]
    rows = [
        [score.label, _share(score.right, score.decided), _share(score.right, score.gold)]
        + [str(found.confusion[score.label][label]) for label in pairs_of.LABELS]
        for score in found.scores
    ]
    yield from tables.aligned([head, *rows])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part}/{whole})" if whole else "- (0/0)"


def _misses(found: pairs_of.UpdateScores) -> Iterator[str]:
    for miss in found.misses:
        yield f"{miss.gold}, decided as {miss.decided}: {output.printable(miss.reason)}"
        yield f"    earlier  {output.printable(miss.old)}"
        yield f"    later    {output.printable(miss.new)}"
