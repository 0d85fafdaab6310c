"""The commands that measure how well memlite finds: on public data, and on one's own history."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from memlite.cli import output
from memlite.cli.group import Entry, LazyGroup
from memlite.cli.options import as_json, open_memory, text
from memlite.errors import UsageError
from memlite.evaluate import claims as claims_of
from memlite.evaluate import datasets, page, questions, runs, tables
from memlite.evaluate import grid as plans_of
from memlite.evaluate.grading import read_grades, regraded
from memlite.evaluate.metrics import by_plan
from memlite.evaluate.sweep import Trial, ask, needs_verbatim, trials
from memlite.memory.evaluations import add_run, get_outcomes, get_runs
from memlite.retrieve.plans import PLANS, Plan, get_plan
from memlite.types.evaluation import Dataset, EvalReport, Outcome, RunRecord

COMMANDS = (
    Entry("run", "memlite.cli.evaluate:run", "Ask questions, and tell how well they are answered."),
    Entry("sweep", "memlite.cli.evaluate:sweep", "Ask them under every configuration there is."),
    Entry("grid", "memlite.cli.evaluate:grid", "List the configurations."),
    Entry("claims", "memlite.cli.evaluate:claims", "Hold the claims of structured distillation against your data."),
    Entry("report", "memlite.cli.evaluate:report", "Print a run that was kept, as text, Markdown or HTML."),
    Entry("grade", "memlite.cli.evaluate_models:grade", "Have language models grade what is found."),
    Entry("answer", "memlite.cli.evaluate_models:answer", "Have a language model answer from what is found."),
    Entry("update", "memlite.cli.evaluate_update:update", "Hold the rules of update against labelled pairs."),
)
Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("eval", cls=LazyGroup, entries=COMMANDS)
def evaluate() -> None:
    """Measure how well memlite finds, on your history too.

    DATA is LoCoMo or LongMemEval as published, or a folder with one transcript and `queries.jsonl`. A line of that is

    \b
      {"query": "...", "gold": [{"grade": 3, "message_ids": ["..."]}]}

    and may have "id", "type", "asked_at", "answer", "unanswerable" and "conversations". Grades are 3 (answers), 2
    (related) and 1 (touches it); message ids are those of the transcript.

    Without DATA your own store is asked, with questions made of its own text. It is only read.
    """


def asked(command: Command) -> Command:
    """Add the argument and the options that say what is asked of which store."""
    for add in reversed(
        (
            click.argument("data", type=click.Path(path_type=Path), required=False),
            click.option(
                "--questions",
                type=click.IntRange(min=1),
                default=150,
                show_default=True,
                metavar="N",
                help="Without DATA: so many.",
            ),
            click.option("--seed", type=int, default=0, show_default=True, help="Of the choice of questions."),
            click.option(
                "--cache", type=click.Path(path_type=Path, file_okay=False), help="Keep the stores made of DATA here."
            ),
        )
    ):
        command = add(command)
    return command


class Asked(Struct, frozen=True):
    """What is asked, of which stores, and under which plans."""

    dataset: Dataset
    trials: Iterable[Trial]
    plans: Sequence[Plan]


def open_asked(
    data: Path | None,
    questions_: int,
    seed: int,
    cache: Path | None,
    plans: Sequence[Plan] = (),
    grades: Path | None = None,
) -> Asked:
    """Return the data set with its stores, or the user's own store with questions made of it.

    :raises UsageError: there is nothing to ask
    """
    if data is not None:
        dataset = datasets.load(data)
        if grades:
            dataset = regraded(dataset, read_grades(grades))
        if not any(case.questions for case in dataset.cases):
            raise UsageError(f"{data} has no question that can be asked ({output.reasons(dataset.skipped) or 'none'})")
        return Asked(dataset, trials(dataset, cache, verbatim=needs_verbatim(plans)), plans)
    memory = open_memory()
    dataset = datasets.of_questions("own store", questions.generate(memory, questions_, seed=seed))
    own = dataset.cases[0].questions
    if not own:
        raise UsageError("the store has no text that a question can be made of. Import a few conversations first")
    if not memory.has_verbatim_vectors:
        plans = [plan for plan in plans if not needs_verbatim([plan])]
    return Asked(dataset, [Trial("own store", memory, own)], plans)


@evaluate.command
@as_json
def grid(as_json: bool) -> None:
    """List every configuration that `eval sweep` runs, by family, and how many there are."""
    families = {family: [plan.name for plan in plans] for family, plans in plans_of.grid().items()}
    count = sum(map(len, families.values()))
    if as_json:
        output.document({"schema_version": 1, "count": count, "families": families})
        return
    for family, names in families.items():
        click.echo(f"{click.style(family, bold=True)} ({len(names)})")
        click.echo("\n".join(f"  {name}" for name in names))
    click.echo(f"{count} configurations")


_kept = click.option(
    "--results", type=click.Path(path_type=Path, dir_okay=False), help="Also keep every outcome in this SQLite file."
)


@evaluate.command
@asked
@click.option("--plan", "names", type=text, multiple=True, help="A mode or name of the grid; several times for more.")
@click.option(
    "--grades",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Take the majority of these grades as gold, in place of the data's own.",
)
@_kept
@as_json
def run(
    data: Path | None,
    questions: int,
    seed: int,
    cache: Path | None,
    names: tuple[str, ...],
    grades: Path | None,
    results: Path | None,
    as_json: bool,
) -> None:
    """Ask questions, and tell how well they are answered.

    \b
    Examples:
      memlite eval run
      memlite eval run locomo10.json --results results.db
      memlite eval run my-history/ --plan auto --plan bm25:verbatim --json
    """
    if grades and data is None:
        raise UsageError("--grades are of a data set's questions: name the data set")
    chosen = [_plan(name) for name in names or tuple(PLANS)]
    report = _measure(open_asked(data, questions, seed, cache, chosen, grades), results)
    if as_json:
        output.document(report)
        return
    plans = [plan.name for plan in chosen]
    _print([tables.HEAD, *map(tables.cells, tables.by_category(report, plans))])
    _tell(report)


@evaluate.command
@asked
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="Configurations to print.")
@_kept
@as_json
def sweep(
    data: Path | None,
    questions: int,
    seed: int,
    cache: Path | None,
    top: int,
    results: Path | None,
    as_json: bool,
) -> None:
    """Ask questions under every configuration, and print the best by MRR."""
    chosen = [plan for plans in plans_of.grid().values() for plan in plans]
    report = _measure(open_asked(data, questions, seed, cache, chosen), results)
    if as_json:
        output.document(report)
        return
    _print([tables.HEAD, *map(tables.cells, tables.whole(report)[:top])])
    _tell(report)


def _plan(name: str) -> Plan:
    in_grid = (plan for plans in plans_of.grid().values() for plan in plans if plan.name == name)
    return next(in_grid, None) or get_plan(name)


def _outcomes(asked: Asked) -> tuple[list[Outcome], tuple[int, int]]:
    """Return what was found, and the tokens of the stores before and after distilling."""
    outcomes: list[Outcome] = []
    before = after = 0
    with output.progress() as bars:
        for trial in asked.trials:
            outcomes += ask(trial, asked.plans, progress=bars)
            tokens = trial.memory.status().tokens
            before, after = before + tokens.before, after + tokens.after
    return outcomes, (before, after)


def _measure(asked: Asked, results: Path | None) -> EvalReport:
    record = runs.describe(asked.dataset, {"plans": str(len(asked.plans))})
    outcomes, _ = _outcomes(asked)
    if results:
        id = add_run(results, record, outcomes)
        output.note(f"kept as run {id} in {results}; print it with: memlite eval report {results}")
    return runs.summarise(record, outcomes)


def _print(rows: Sequence[Sequence[str]]) -> None:
    head, *rest = tables.aligned([[output.printable(cell) for cell in row] for row in rows])
    click.echo(click.style(head, bold=True))
    click.echo("\n".join(rest))


def _tell(report: EvalReport) -> None:
    plans = len(tables.whole(report))
    if plans > 1:
        click.echo(f"MRR of the best of the {plans} plans for each question: {report.oracle:.3f}")
    if report.run.skipped:
        output.note(f"not asked: {output.reasons(report.run.skipped)}")
    output.note(f"{tables.origin(report)}; 95 % intervals in brackets")


class ClaimsReport(Struct, frozen=True):
    """The claims of arXiv 2603.13017 on one data set."""

    run: RunRecord
    questions: int
    tokens: tuple[int, int]
    """Of all exchanges, before and after distilling, estimated."""
    claims: tuple[claims_of.Claim, ...]
    schema_version: int = 1


@evaluate.command
@asked
@as_json
def claims(data: Path | None, questions: int, seed: int, cache: Path | None, as_json: bool) -> None:
    """Hold the claims of arXiv 2603.13017 against data: what distilling keeps, loses, adds and saves.

    Every pure and every cross-layer configuration is asked every question. In brackets 95 % intervals; p is that of a
    paired permutation test, times the number of comparisons (Bonferroni).
    """
    families = plans_of.grid()
    asked = open_asked(data, questions, seed, cache, [*families["named"], *families["pure"], *families["cross-layer"]])
    record = runs.describe(asked.dataset, {"plans": str(len(asked.plans))})
    outcomes, tokens = _outcomes(asked)
    found = by_plan(outcomes)
    report = ClaimsReport(record, len(next(iter(found.values()))), tokens, claims_of.examine(found, tokens))
    if as_json:
        output.document(report)
        return
    click.echo(f"{report.questions:,} questions, {len(found)} configurations")
    _print([claims_of.HEAD, *map(claims_of.cells, report.claims)])
    output.note(tables.origin(EvalReport(record, 0.0, ())))


@evaluate.command
@click.argument("results", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--run", "run_id", type=click.IntRange(min=1), help="Which run. Default: the newest.")
@click.option("--format", "form", type=click.Choice(["text", "markdown", "html"]), default="text", show_default=True)
@as_json
def report(results: Path, run_id: int | None, form: str, as_json: bool) -> None:
    """Print a run that was kept: every figure is made again from its outcomes.

    \b
    Examples:
      memlite eval report results.db
      memlite eval report results.db --run 3 --format html > run3.html
    """
    kept = get_runs(results)
    chosen = max(kept, default=0) if run_id is None else run_id
    if chosen not in kept:
        there = ", ".join(map(str, kept)) or "none"
        raise UsageError(f"there is no run {chosen} in {results}. There is: {there}")
    found = runs.summarise(kept[chosen], get_outcomes(results, chosen))
    if as_json:
        output.document(found)
    elif form == "html":
        click.echo(page.page(found), nl=False)
    elif form == "markdown":
        click.echo("\n".join([*tables.markdown([tables.HEAD, *map(tables.cells, tables.whole(found))]), ""]))
        click.echo(tables.origin(found))
    else:
        _print([tables.HEAD, *map(tables.cells, tables.whole(found))])
        _tell(found)
