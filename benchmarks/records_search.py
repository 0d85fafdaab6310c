"""What dimensional records add to a search, part by part, on LoCoMo and the coding history. No language model takes part.

    python benchmarks/records_search.py [FOLDER with locomo/ and coding_history/] [--only PLAN,...]

Evidence and gold are those of `locomo.py` and `coding_history.py`: recall@10 / MRR by category, MRR / hit@10 by type of
query. Tokens are estimated, of the ten hits a question: their distilled texts, their matching records, and what the
assistant said with recall off, on demand and always.
"""

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from locomo import CATEGORIES
from measures import SHARED, mean, recall, reciprocal_rank, store_of

import memlite
from memlite.text import tokens
from memlite.types.query import Hit

DEPTH = 20
PLANS = (
    *("auto-without-records", "records", "bm25:records", "dense:records", "dimensional:records"),
    *("auto-content-only", "auto-without-dimensional", "auto"),
)


class Asked(NamedTuple):
    """A question, the ids of the messages that answer it, and what to count it under."""

    text: str
    gold: list[str]
    group: str


def main() -> None:
    """Print a table for each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--only", default=",".join(PLANS))
    options = parser.parse_args()
    plans = options.only.split(",")
    _report("LoCoMo: recall@10 / MRR", plans, _locomo(options.folder / "locomo"), _evidence)
    _report("Coding history: MRR / hit@10", plans, _history(options.folder / "coding_history"), _found)


def _locomo(folder: Path) -> Iterator[tuple[memlite.Memory, Sequence[Asked]]]:
    asked = [json.loads(line) for line in (folder / "queries3.jsonl").read_text().splitlines()]
    for sample in json.loads((folder / "locomo3.json").read_text()):
        own = [q for q in asked if q["conversation"] == sample["sample_id"] and q["category"] in CATEGORIES]
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "sample.json"
            file.write_text(json.dumps([sample]))
            with store_of(file) as memory:
                yield (
                    memory,
                    [
                        Asked(q["question"], [id.split("/", 1)[1] for id in q["gold"]], CATEGORIES[q["category"]])
                        for q in own
                        if q["gold"]
                    ],
                )


def _history(folder: Path) -> Iterator[tuple[memlite.Memory, Sequence[Asked]]]:
    asked = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    with store_of(folder / "messages.jsonl") as memory:
        yield (
            memory,
            [
                Asked(q["query"], [id for one in q["gold"] if one["grade"] == 3 for id in one["message_ids"]], q["type"])
                for q in asked
            ],
        )


def _evidence(hits: Sequence[Hit], gold: Sequence[str]) -> tuple[float, float]:
    return recall(hits[:10], gold), reciprocal_rank(hits, gold)


def _found(hits: Sequence[Hit], gold: Sequence[str]) -> tuple[float, float]:
    rank = reciprocal_rank(hits, gold)
    return rank, float(rank >= 0.1)


def _report(title: str, plans: Sequence[str], stores: Iterator, score) -> None:
    scores = defaultdict(list)
    spent = defaultdict(list)
    seconds = defaultdict(float)
    records = 0
    for memory, questions in stores:
        records += memory.status().records["active"]
        for question in questions:
            for plan in plans:
                started = time.perf_counter()
                hits = memory.search(question.text, limit=DEPTH, mode=plan, recall="off").hits
                seconds[plan] += time.perf_counter() - started
                found = score(hits, question.gold)
                scores[plan, "all"].append(found)
                scores[plan, question.group].append(found)
                spent[plan].append(_tokens(hits[:10]))
            for setting in ("off", "auto", "always"):
                hits = memory.search(question.text, recall=setting).hits
                spent[setting].append((sum(tokens.estimate(hit.assistant) for hit in hits if hit.assistant),))
    groups = list(dict.fromkeys(group for _, group in scores))
    print(f"\n## {title} ({records:,} records)\n")
    head = ["plan", *(f"{group} ({len(scores[plans[0], group])})" for group in groups), "objects", "records", "ms"]
    rows = [head, ["---"] * len(head)]
    for plan in plans:
        pairs = (zip(*scores[plan, group], strict=True) for group in groups)
        shares = (" / ".join(f"{mean(values):.3f}" for values in pair) for pair in pairs)
        costs = (f"{mean(values):.0f}" for values in zip(*spent[plan], strict=True))
        rows.append([plan, *shares, *costs, f"{1000 * seconds[plan] / len(spent[plan]):.0f}"])
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    used = (f"{setting} {mean([value for (value,) in spent[setting]]):.0f}" for setting in ("off", "auto", "always"))
    print(f"\ntokens of the assistant's words in ten hits, by recall: {', '.join(used)}")


def _tokens(hits: Sequence[Hit]) -> tuple[int, int]:
    objects = sum(tokens.estimate(f"{hit.object.exchange_core} {hit.object.detail}") for hit in hits if hit.object)
    return objects, sum(tokens.estimate(record.content) for hit in hits for record in hit.records)


if __name__ == "__main__":
    main()
