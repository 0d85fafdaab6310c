"""What the parts of dimensional memory add to a search, on LoCoMo, the coding history and LongMemEval.

No language model takes part.

    python benchmarks/ablations.py [FOLDER with locomo/, coding_history/ and longmemeval/]

Each plan is the default one without a part: without update (what is over stands where it is found), without the
dimensions of records, with their content alone, without records; then single parts by themselves. p is that of the
paired permutation test of the MRR against the default plan. LongMemEval seeks sessions; its extra questions are asked
on the day of their haystack's own. Tokens are estimated: what the assistant said, by recall, in an answer of ten hits.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import get_args

from msgspec import structs

from memlite.evaluate import datasets, metrics, tables
from memlite.evaluate.significance import permutation
from memlite.evaluate.sweep import Trial, ask, trials
from memlite.retrieve.plans import get_plan
from memlite.text import tokens
from memlite.types.evaluation import Dataset, Question
from memlite.types.query import Recall

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
NAMES = (
    *("auto", "auto-without-update", "auto-without-dimensional", "auto-content-only", "auto-without-records"),
    *("records", "bm25:records", "dense:records", "dimensional:records", "verbatim", "distilled", "cross"),
)


def main() -> None:
    """Print a table for each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    folder = parser.parse_args().folder
    for dataset in (
        datasets.load(folder / "locomo" / "locomo3.json"),
        datasets.load(folder / "coding_history"),
        with_extra_questions(folder / "longmemeval"),
    ):
        print("\n".join(report(dataset)), flush=True)


def with_extra_questions(folder: Path) -> Dataset:
    """Return LongMemEval's haystacks with their own questions and the extra ones."""
    dataset = datasets.load(folder / "haystack4.json")
    extra = [json.loads(line) for line in (folder / "extra_questions.jsonl").read_text().splitlines()]
    cases = []
    for case in dataset.cases:
        more = [
            Question(
                id=f"extra-{number}",
                text=one["question"],
                gold={},
                conversations=tuple(one["answer_session_ids"]),
                category="extra",
                asked_at=case.questions[0].asked_at,
            )
            for number, one in enumerate(extra)
            if one["haystack_question_id"] == case.name
        ]
        cases.append(structs.replace(case, questions=(*case.questions, *more)))
    return structs.replace(dataset, cases=tuple(cases))


def report(dataset: Dataset) -> Iterator[str]:
    """Yield the lines of the table of a data set."""
    plans = [get_plan(name) for name in NAMES]
    outcomes = []
    said: dict[str, list[int]] = defaultdict(list)
    for trial in trials(dataset):
        outcomes += ask(trial, plans)
        for recall in get_args(Recall):
            said[recall] += assistant_tokens(trial, recall)
    found = metrics.by_plan(outcomes)
    ranks = {name: [metrics.reciprocal_rank(one) for one in found[name]] for name in NAMES}
    groups = list(dict.fromkeys(one.category for one in found["auto"]))
    rows = [("plan", "recall@10", "MRR", "hit@1 / @5 / @10", "p", *(f"MRR, {group}" for group in groups))]
    for name in NAMES:
        hits = " / ".join(f"{metrics.mean([metrics.hit(one, k) for one in found[name]]):.3f}" for k in (1, 5, 10))
        recall = tables.interval(metrics.estimate([metrics.recall(one) for one in found[name]]))
        p = f"{permutation(ranks['auto'], ranks[name]):.4f}" if name != "auto" else ""
        by_group = (
            f"{metrics.mean([metrics.reciprocal_rank(one) for one in found[name] if one.category == group]):.3f}"
            for group in groups
        )
        rows.append((name, recall, tables.interval(metrics.estimate(ranks[name])), hits, p, *by_group))
    yield f"\n## {dataset.name}: {len(found['auto'])} questions\n"
    yield from tables.markdown(rows)
    told = (f"{name} {metrics.mean(counts):.0f} (in {sum(map(bool, counts))})" for name, counts in said.items())
    yield f"\ntokens of what the assistant said, by recall (questions it came with): {', '.join(told)}"


def assistant_tokens(trial: Trial, recall: Recall) -> Sequence[int]:
    """Return of each question the estimated tokens of the assistant's words that ten hits carry."""
    found = []
    for question in trial.questions:
        if not question.unanswerable:
            day = date.fromisoformat(question.asked_at) if question.asked_at else None
            hits = trial.memory.search(question.text, recall=recall, asked_at=day).hits
            found.append(sum(tokens.estimate(hit.assistant) for hit in hits if hit.assistant))
    return found


if __name__ == "__main__":
    main()
