"""What dimensional records add to a search, part by part, on LoCoMo and the coding history.

No language model takes part.

    python benchmarks/records_search.py [FOLDER with locomo/ and coding_history/] [--only PLAN,...]

Gold is that of `locomo.py` and `coding_history.py`: recall@10 / MRR by category, MRR / hit@10 by type of query. A
question about LoCoMo counts as asked on the day the conversation ends. Tokens are estimated and a question's, of its
ten hits: the distilled texts, the records that matched, and what the assistant said by recall.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple, get_args

from locomo import CATEGORIES
from measures import SHARED, mean, recall, reciprocal_rank, store_of

import memlite
from memlite.text import tokens
from memlite.types.query import Hit, Recall

DEPTH = 20
PLANS = (
    *("auto-without-records", "records", "bm25:records", "dense:records", "dimensional:records"),
    *("auto-content-only", "auto-without-dimensional", "auto"),
)
Score = Callable[[Sequence[Hit], Sequence[str]], tuple[float, float]]


class Asked(NamedTuple):
    """A question, the ids of the messages that answer it, what to count it under, and when it is asked."""

    text: str
    gold: list[str]
    group: str
    at: date | None = None


Stores = Iterable[tuple[memlite.Memory, list[Asked]]]


def main() -> None:
    """Print a table for each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--only", default=",".join(PLANS))
    options = parser.parse_args()
    for title, stores, score in (
        ("LoCoMo: recall@10 / MRR", locomo(options.folder / "locomo"), evidence),
        ("Coding history: MRR / hit@10", history(options.folder / "coding_history"), sought),
    ):
        sys.stdout.write("\n".join(report(title, options.only.split(","), stores, score)) + "\n")


def locomo(folder: Path) -> Iterator[tuple[memlite.Memory, list[Asked]]]:
    """Yield a store for each conversation, and its questions."""
    asked = [json.loads(line) for line in (folder / "queries3.jsonl").read_text().splitlines()]
    for sample in json.loads((folder / "locomo3.json").read_text()):
        own = [q for q in asked if q["conversation"] == sample["sample_id"] and q["category"] in CATEGORIES]
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "sample.json"
            file.write_text(json.dumps([sample]))
            with store_of(file) as memory:
                end = date.fromisoformat(max(hit.said_at or "" for hit in memory.search("", source="locomo"))[:10])
                gold = {q["id"]: [id.split("/", 1)[1] for id in q["gold"]] for q in own}
                yield (
                    memory,
                    [Asked(q["question"], gold[q["id"]], CATEGORIES[q["category"]], end) for q in own if q["gold"]],
                )


def history(folder: Path) -> Iterator[tuple[memlite.Memory, list[Asked]]]:
    """Yield the store of the coding history, and its queries."""
    asked = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    gold = [[id for one in q["gold"] if one["grade"] == 3 for id in one["message_ids"]] for q in asked]
    with store_of(folder / "messages.jsonl") as memory:
        yield memory, [Asked(q["query"], ids, q["type"]) for q, ids in zip(asked, gold, strict=True)]


def evidence(hits: Sequence[Hit], gold: Sequence[str]) -> tuple[float, float]:
    """Recall@10 and reciprocal rank."""
    return recall(hits[:10], gold), reciprocal_rank(hits, gold)


def sought(hits: Sequence[Hit], gold: Sequence[str]) -> tuple[float, float]:
    """Reciprocal rank and hit@10."""
    rank = reciprocal_rank(hits, gold)
    return rank, float(rank >= 0.1)


def report(title: str, plans: Sequence[str], stores: Stores, score: Score) -> Iterator[str]:
    """Yield the lines of a table: a row a plan, a column a group of questions."""
    scores = defaultdict(list)
    spent = defaultdict(list)
    replies = defaultdict(list)
    records = 0
    for memory, questions in stores:
        records += memory.status().records["active"]
        for text, gold, group, at in questions:
            for plan in plans:
                hits = memory.search(text, limit=DEPTH, mode=plan, recall="off", asked_at=at).hits
                scores[plan, "all"].append(score(hits, gold))
                scores[plan, group].append(scores[plan, "all"][-1])
                spent[plan].append(_tokens(hits[:10]))
            for setting in get_args(Recall):
                hits = memory.search(text, recall=setting, asked_at=at).hits
                replies[setting].append(sum(tokens.estimate(hit.assistant) for hit in hits if hit.assistant))
    groups = list(dict.fromkeys(group for _, group in scores))
    yield f"\n## {title} ({records:,} records)\n"
    head = ["plan", *(f"{group} ({len(scores[plans[0], group])})" for group in groups), "tokens of objects / records"]
    rows = [head, ["---"] * len(head)]
    rows += [[plan, *(_means(scores[plan, group], 3) for group in groups), _means(spent[plan], 0)] for plan in plans]
    yield from (f"| {' | '.join(row)} |" for row in rows)
    used = (f"{setting} {mean(counts):.0f} (in {sum(map(bool, counts))})" for setting, counts in replies.items())
    yield f"\ntokens of what the assistant said, by recall (questions it was attached to): {', '.join(used)}"


def _means(pairs: Sequence[tuple[float, float]], digits: int) -> str:
    return " / ".join(f"{mean(values):.{digits}f}" for values in zip(*pairs, strict=True))


def _tokens(hits: Sequence[Hit]) -> tuple[int, int]:
    objects = sum(tokens.estimate(f"{hit.object.exchange_core} {hit.object.detail}") for hit in hits if hit.object)
    return objects, sum(tokens.estimate(record.content) for hit in hits for record in hit.records)


if __name__ == "__main__":
    main()
