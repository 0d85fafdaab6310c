"""The commands that evaluate with a local language model: it grades what is found, or answers from it."""

from pathlib import Path

import click
import msgspec
from msgspec import Struct

from memlite import config
from memlite.cli import output
from memlite.cli.evaluate import asked, open_asked
from memlite.cli.options import as_json, text
from memlite.evaluate import answering, runs
from memlite.evaluate.grading import Agreement, Grade, agreement, grade_with, wanted
from memlite.evaluate.sweep import Trial
from memlite.models import loading
from memlite.models.base import Generator
from memlite.retrieve.plans import PLANS
from memlite.types.evaluation import RunRecord

_threads = click.option("--threads", type=click.IntRange(min=1), metavar="N", help="Threads of the model.")


def _generator(model: str, threads: int | None) -> Generator:
    return loading.load_generator(model or None, threads or config.threads())


@click.command
@asked
@click.option("--model", "models", type=text, multiple=True, default=("",), metavar="NAME|PATH", help="Once a grader.")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Exchanges of each question.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    default="-",
    help="Where the grades go, as JSON lines. Default: stdout.",
)
@_threads
def grade(
    data: Path | None,
    questions: int,
    seed: int,
    cache: Path | None,
    models: tuple[str, ...],
    top: int,
    out: Path,
    threads: int | None,
) -> None:
    """Have language models grade, 0 to 3, what the plans find.

    What any of the named plans has among the first is graded by every model, a line each: {"question", "message_ids",
    "grader", "grade"}. Lines by other graders, people too, can be put into the same file: `eval run --grades FILE` goes
    by the majority. How far the graders agree, by kappa, is told at the end; below 0.4 grades mean little.

    \b
    Examples:
      memlite eval grade my-history/ --model qwen --model llama --out grades.jsonl
      memlite eval run my-history/ --grades grades.jsonl
    """
    chosen = open_asked(data, questions, seed, cache)
    grades: list[Grade] = []
    with click.open_file(str(out), "w", encoding="utf-8") as file:
        generators = [_generator(model, threads) for model in models]
        for trial in chosen.trials:
            for generator in generators:
                for one in _graded(trial, generator, top):
                    file.write(msgspec.json.encode(one).decode() + "\n")
                    grades.append(one)
    _agree(agreement(grades))


def _graded(trial: Trial, generator: Generator, top: int) -> list[Grade]:
    grades = []
    asking = wanted(trial.questions)
    with output.progress() as bars:
        for done, question in enumerate(asking, start=1):
            pooled: dict[int, None] = {}
            for mode in PLANS:
                pooled |= dict.fromkeys(
                    hit.exchange_id for hit in trial.memory.search(question.text, limit=top, mode=mode)
                )
            places = trial.memory.places(list(pooled))
            for id in pooled:
                said = "\n".join(message.content for message in trial.memory.get(id).messages)
                name = generator.info.name
                grades.append(Grade(question.id, places[id].ids, name, grade_with(generator, question.text, said)))
            if bars:
                bars(trial.name, done, len(asking))
    return grades


def _agree(found: Agreement) -> None:
    if len(found.graders) > 1:
        output.note(f"{len(found.graders)} graders agree on {found.graded:,} exchanges with kappa {found.kappa:.3f}")
    else:
        output.note("one grader: how far its grades can be trusted is not known")


class AnswerReport(Struct, frozen=True):
    """What a reader's answers are worth."""

    run: RunRecord
    figures: tuple[answering.Answers, ...]
    """On all questions, then by category."""
    replies: tuple[answering.Reply, ...]
    unlabelled: int
    """Questions that were not asked, since the data does not tell their answer."""
    schema_version: int = 1


@click.command
@asked
@click.option("--model", type=text, default="", metavar="NAME|PATH", help="What reads and answers.")
@click.option("--judge", type=text, default="", metavar="NAME|PATH", help="Also have this model judge the answers.")
@click.option("--budget", type=click.IntRange(min=100), default=1000, show_default=True, help="Tokens of the context.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N questions of each store.")
@_threads
@as_json
def answer(
    data: Path | None,
    questions: int,
    seed: int,
    cache: Path | None,
    model: str,
    judge: str,
    budget: int,
    limit: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Have a language model answer from the context that memlite gives it.

    Exact match and word F1 go by the data's own answers; questions that nothing answers are scored apart, by whether
    the reader says so. These figures tell as much about the reader as about memlite.

    \b
    Example:
      memlite eval answer locomo10.json --model qwen --limit 50
    """
    chosen = open_asked(data, questions, seed, cache)
    reader = _generator(model, threads)
    judging = _generator(judge, threads) if judge else None
    replies: list[answering.Reply] = []
    unlabelled = 0
    for trial in chosen.trials:
        labelled = [one for one in trial.questions if one.answer or one.unanswerable]
        unlabelled += len(trial.questions) - len(labelled)
        asking = labelled[:limit]
        with output.progress() as bars:
            for reply in answering.answer(trial.memory, asking, reader, budget=budget, judge=judging):
                replies.append(reply)
                if bars:
                    bars(trial.name, len(replies), len(asking))
    settings = {"reader": reader.info.digest, "budget": str(budget), "judge": judging.info.digest if judging else ""}
    categories = dict.fromkeys(reply.category for reply in replies if reply.category)
    figures = tuple(answering.score(replies, category) for category in ("", *categories))
    report = AnswerReport(runs.describe(chosen.dataset, settings), figures, tuple(replies), unlabelled)
    if as_json:
        output.document(report)
        return
    for line in figures:
        click.echo(output.printable(_line(line)))
    if unlabelled:
        output.note(f"not asked: {output.counted(unlabelled, 'question')} whose answer the data does not tell")


def _line(one: answering.Answers) -> str:
    judged = f", judged right {one.judged:.3f}" if one.judged is not None else ""
    apart = f"; of {one.unanswerable:,} without an answer {one.rightly_abstained:.3f} seen" if one.unanswerable else ""
    return (
        f"{one.category or 'all'}: {one.questions:,} questions, exact {one.exact:.3f}, F1 {one.f1:.3f}{judged}, "
        f"abstained {one.abstained:.3f}{apart}; {one.context_tokens:,.0f} tokens of context"
    )
