"""What a language model makes of the objects: better, as good, or nothing. And what it costs.

    python benchmarks/upgrades.py [--model NAME|PATH] [--strategies choose,choose-freely] [--limit N] [--data FOLDER]
                                  [--cache FOLDER] [--only locomo,coding_history,labelled]

Every store is distilled by rules first and asked by meaning over the objects alone (mode `distilled`). Then each
strategy upgrades a copy of it through `Memory.distill(engine="gguf")`, and the same questions are asked again: the
difference is what the model is worth. LoCoMo is asked its own questions, the coding history its graded queries, the
labelled windows their gold cores; in `labelled` word F1 against the gold core is given too.
"""

import argparse
import json
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ablations import SHARED
from labelled import f1

import memlite
from memlite.evaluate import datasets
from memlite.evaluate.metrics import mean, recall, reciprocal_rank
from memlite.evaluate.significance import permutation
from memlite.evaluate.sweep import Trial, trials
from memlite.evaluate.sweep import ask as ask_plans
from memlite.retrieve.plans import PLANS
from memlite.types.evaluation import PERFECT, Question
from memlite.types.report import DistillReport

Case = tuple[Path, Sequence[Question], dict[str, str]]
"""A store made by rules; its questions; gold core by the external id of the first message, where there is one."""


def locomo(data: Path, folder: Path) -> Iterator[Case]:
    """Yield the three conversations with their questions."""
    yield from made(data / "locomo" / "locomo3.json", folder)


def coding_history(data: Path, folder: Path) -> Iterator[Case]:
    """Yield the coding history with its graded queries."""
    yield from made(data / "coding_history", folder)


def made(path: Path, folder: Path) -> list[Case]:
    """Return the stores of a data set, closed, so that they can be copied."""
    return [(trial.memory.path, trial.questions, {}) for trial in trials(datasets.load(path), folder)]


def labelled(data: Path, folder: Path) -> Iterator[Case]:
    """Yield a store for each file of labelled windows, asked its gold cores."""
    for file in sorted((data / "labelled").glob("*.jsonl")):
        windows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        questions, golds = [], {}
        for window in windows:
            for gold in window["objects"]:
                first, last = gold["plies"]
                ids = [f"{window['id']}:{message['ply']}" for message in window["messages"]]
                answers = dict.fromkeys(ids[first : last + 1], PERFECT)
                questions.append(Question(ids[first], gold["exchange_core"], answers))
                golds[ids[first]] = gold["exchange_core"]

        def fill(memory: memlite.Memory, windows: Sequence[dict] = windows) -> None:
            for window in windows:
                peers = window["style"] == "peers"
                memory.add(
                    [
                        {
                            "speaker" if peers else "role": one["speaker"] if peers else one["role"],
                            "content": one["content"],
                            "timestamp": one["said_at"],
                            "id": f"{window['id']}:{one['ply']}",
                        }
                        for one in window["messages"]
                    ],
                    conversation=window["id"],
                )

        yield store(folder / f"{file.stem}.db", fill), questions, golds


def store(path: Path, fill: Callable[[memlite.Memory], object]) -> Path:
    """Return a store that holds what `fill` puts in, distilled by rules; one that is there already is taken."""
    if not path.exists():
        with memlite.open(path) as memory:
            fill(memory)
            memory.distill()
    return path


Row = dict[str, list[float]]


def ask(memory: memlite.Memory, questions: Sequence[Question], golds: dict[str, str], row: Row) -> None:
    """Ask a store everything, and add what came of it to a row."""
    for outcome in ask_plans(Trial("", memory, questions), [PLANS["distilled"]]):
        row["recall"].append(recall(outcome))
        row["rank"].append(reciprocal_rank(outcome))
    tokens = memory.status().tokens
    row["objects"].append(tokens.exchanges)
    for name in ("after", "vocab_survival", "asked_survival"):
        row[name].append(getattr(tokens, name) * (1 if name == "after" else tokens.exchanges))
    for hit in memory.search("", limit=100_000, since="1900").hits if golds else ():
        if hit.object and (gold := golds.get(sorted(hit.external_ids, key=ply)[0])):
            row["f1"].append(f1(hit.object.exchange_core, gold))


def ply(id: str) -> int:
    """Return the place of a labelled message in its window."""
    return int(id.rpartition(":")[2])


def line(name: str, row: Row, rules: Row) -> str:
    """Return a row of the table; p is that of the paired permutation test of the reciprocal ranks against the rules."""
    objects = sum(row["objects"])
    cells = [
        f"{mean(row['recall']):.3f} / {mean(row['rank']):.3f}",
        f"{permutation(row['rank'], rules['rank']):.3f}" if row is not rules else "",
        f"{mean(row['f1']):.3f}" if row["f1"] else "",
        *(f"{sum(row[key]) / objects:.{digits}f}" for key, digits in SUMS),
        f"{sum(row['seconds']) / sum(row['tried']):.2f}" if sum(row["tried"]) else "",
    ]
    return f"| {name} | {' | '.join(cells)} |"


SUMS = (("after", 1), ("vocab_survival", 3), ("asked_survival", 3))
HEAD = "| objects | recall@10 / MRR | p | core F1 | tokens | rare words kept | asked words kept | s / exchange |"


def main() -> None:
    """Print a table for each set of conversations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model")
    parser.add_argument("--strategies", default="choose")
    parser.add_argument("--limit", type=int, help="exchanges the model is given in each store")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--cache", type=Path, help="keep the stores made by rules here")
    parser.add_argument("--only", default="locomo,coding_history,labelled")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.cache or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.only.split(","):
            measure(name, folder, options)


CASES = {"locomo": locomo, "coding_history": coding_history, "labelled": labelled}


def measure(name: str, folder: Path, options: argparse.Namespace) -> None:
    """Print the table of one set, and what became of the fields."""
    strategies = options.strategies.split(",")
    rows: dict[str, Row] = {one: defaultdict(list) for one in ["extractive", *strategies]}
    fields: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for path, questions, golds in CASES[name](options.data, folder):
        with memlite.open(path) as memory:
            ask(memory, questions, golds, rows["extractive"])
        for strategy in strategies:
            with tempfile.TemporaryDirectory() as place:
                copy = Path(place) / "upgraded.db"
                shutil.copy(path, copy)
                with memlite.open(copy) as memory:
                    report = memory.distill(
                        engine="gguf",
                        model=options.model,
                        strategy=strategy,
                        limit=options.limit,
                        threads=options.threads,
                    )
                    ask(memory, questions, golds, rows[strategy])
            count(report, strategy, rows[strategy], fields)
    print(f"\n## {name}\n\n{HEAD}\n{'|---' * 8}|")
    for variant, row in rows.items():
        print(line(variant, row, rows["extractive"]))
    print("\n| strategy | field | what became of it |\n|---|---|---|")
    for (strategy, field), outcomes in fields.items():
        print(
            f"| {strategy} | {field} | {', '.join(f'{what} {n}' for what, n in outcomes.most_common())} |", flush=True
        )


def count(report: DistillReport, strategy: str, row: Row, fields: dict[tuple[str, str], Counter[str]]) -> None:
    """Add what a run tells of itself."""
    done = report.upgrades
    if done is None:
        return
    row["tried"].append(done.tried)
    row["seconds"].append(done.seconds_each * done.tried)
    for field, outcomes in done.fields.items():
        fields[strategy, field].update(outcomes)
    fields[strategy, "exchange"].update({"improved": done.improved, "kept": done.kept, **done.failed})


if __name__ == "__main__":
    main()
