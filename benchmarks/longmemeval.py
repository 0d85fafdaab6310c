"""LongMemEval: is the session that holds the answer among the first? No language model takes part.

    python benchmarks/longmemeval.py [FOLDER with haystack4.json and extra_questions.jsonl] [--modes auto,verbatim,...]

One store a question with its whole haystack (39 to 53 sessions), sessions ranked by their best exchange. A question is
asked on its date; the extra questions, which have none, on that of their haystack's. Top 1 and top 5: a gold session is
among so many. Tokens: what the assistant's words cost by recall, an answer of ten hits.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple, get_args

from measures import SHARED, mean, store_of

import memlite
from memlite.text import tokens
from memlite.types.query import Recall

MODES = "auto,auto-without-records,records,verbatim,distilled,cross"


class Asked(NamedTuple):
    """A question, the sessions that answer it, and which set it is of."""

    text: str
    gold: frozenset[str]
    group: str


def questions(folder: Path) -> Iterator[tuple[Path, date, list[Asked]]]:
    """Yield each haystack as a file, with the day and what is asked of it."""
    extra = [json.loads(line) for line in (folder / "extra_questions.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as place:
        for one in json.loads((folder / "haystack4.json").read_text()):
            path = Path(place) / "haystack.json"
            path.write_text(json.dumps([one]))
            asked = [Asked(one["question"], frozenset(one["answer_session_ids"]), "official")] + [
                Asked(more["question"], frozenset(more["answer_session_ids"]), "extra")
                for more in extra
                if more["haystack_question_id"] == one["question_id"]
            ]
            yield path, date.fromisoformat(one["question_date"][:10].replace("/", "-")), asked


def main() -> None:
    """Print top 1 / top 5 of every mode, and the tokens of recall."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "longmemeval")
    parser.add_argument("--modes", default=MODES)
    options = parser.parse_args()
    ranks: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    spent: dict[str, list[float]] = defaultdict(list)
    for path, day, asked in questions(options.folder):
        with store_of(path) as memory:
            for one in asked:
                for mode in options.modes.split(","):
                    ranks[mode, one.group].append(top(memory, one, mode, day))
                for recall in get_args(Recall):
                    spent[recall].append(assistant_tokens(memory, one, recall, day))
    groups = sorted({group for _, group in ranks}, reverse=True)
    print("| mode | " + " | ".join(f"{group} ({len(ranks['auto', group])})" for group in groups) + " |")
    print("|---" * (len(groups) + 1) + "|")
    for mode in options.modes.split(","):
        cells = [" / ".join(f"{mean(part):.3f}" for part in zip(*ranks[mode, group], strict=True)) for group in groups]
        print(f"| {mode} | {' | '.join(cells)} |")
    print("\nassistant tokens by recall: " + ", ".join(f"{name} {mean(found):.0f}" for name, found in spent.items()))


def top(memory: memlite.Memory, one: Asked, mode: str, day: date) -> tuple[float, float]:
    """Return whether a gold session comes first, and whether it is among the first five."""
    hits = memory.search(one.text, limit=5, mode=mode, group="conversation", asked_at=day).hits
    found = [hit.conversation.external_id in one.gold for hit in hits]
    return float(found[:1] == [True]), float(any(found))


def assistant_tokens(memory: memlite.Memory, one: Asked, recall: Recall, day: date) -> float:
    """Return the estimated tokens of the assistant's words that ten hits carry."""
    hits = memory.search(one.text, limit=10, recall=recall, asked_at=day).hits
    return sum(tokens.estimate(hit.assistant) for hit in hits if hit.assistant)


if __name__ == "__main__":
    main()
