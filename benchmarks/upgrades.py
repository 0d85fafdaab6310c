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

from labelled import f1
from measures import SHARED, mean, recall, reciprocal_rank

import memlite
from memlite.types.report import DistillReport

DEPTH = 20
Question = tuple[str, list[str]]
"""What is asked, and the external ids of the messages that answer it."""
Case = tuple[Path, list[Question], dict[str, str]]
"""A store made by rules; its questions; gold core by the external id of the first message, where there is one."""


def locomo(data: Path, folder: Path) -> Iterator[Case]:
    """Yield the three conversations with the questions of categories 1 to 4."""
    asked = [json.loads(line) for line in (data / "locomo/queries3.jsonl").read_text().splitlines()]
    for sample in json.loads((data / "locomo/locomo3.json").read_text()):
        name = sample["sample_id"]
        questions = [
            (one["question"], [id.split("/", 1)[1] for id in one["gold"]])
            for one in asked
            if one["conversation"] == name and one["category"] <= 4 and one["gold"]
        ]
        file = folder / f"{name}.json"
        file.write_text(json.dumps([sample]))
        yield store(folder / f"{name}.db", lambda memory, file=file: memory.import_path(file)), questions, {}


def coding_history(data: Path, folder: Path) -> Iterator[Case]:
    """Yield the coding history with the gold of grade 3."""
    lines = (data / "coding_history/queries.jsonl").read_text().splitlines()
    questions = [
        (one["query"], [id for entry in one["gold"] if entry["grade"] == 3 for id in entry["message_ids"]])
        for one in map(json.loads, lines)
    ]
    path = store(folder / "history.db", lambda memory: memory.import_path(data / "coding_history/messages.jsonl"))
    yield path, questions, {}


def labelled(data: Path, folder: Path) -> Iterator[Case]:
    """Yield a store for each file of labelled windows, asked its gold cores."""
    for file in sorted((data / "labelled").glob("*.jsonl")):
        windows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        questions, golds = [], {}
        for window in windows:
            for gold in window["objects"]:
                first, last = gold["plies"]
                ids = [f"{window['id']}:{message['ply']}" for message in window["messages"]]
                questions.append((gold["exchange_core"], ids[first : last + 1]))
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
    for text, gold in questions:
        hits = memory.search(text, limit=DEPTH, mode="distilled").hits
        row["recall"].append(recall(hits[:10], gold))
        row["rank"].append(reciprocal_rank(hits, gold))
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


def line(name: str, row: Row) -> str:
    """Return a row of the table."""
    objects = sum(row["objects"])
    cells = [
        f"{mean(row['recall']):.3f} / {mean(row['rank']):.3f}",
        f"{mean(row['f1']):.3f}" if row["f1"] else "",
        *(f"{sum(row[key]) / objects:.{digits}f}" for key, digits in SUMS),
        f"{sum(row['seconds']) / sum(row['tried']):.2f}" if sum(row["tried"]) else "",
    ]
    return f"| {name} | {' | '.join(cells)} |"


SUMS = (("after", 1), ("vocab_survival", 3), ("asked_survival", 3))
HEAD = "| objects | recall@10 / MRR | core F1 | tokens | rare words kept | asked words kept | s / exchange |"


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
    print(f"\n## {name}\n\n{HEAD}\n{'|---' * 7}|")
    for variant, row in rows.items():
        print(line(variant, row))
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
