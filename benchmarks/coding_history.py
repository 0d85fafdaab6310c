"""One developer's coding conversations: is the exchange that was sought found? No language model takes part.

    python benchmarks/coding_history.py [FOLDER with messages.jsonl and queries.jsonl]

One store of all conversations, grade 3 only, MRR over the first twenty exchanges and hit@10, by type of query and by
how the query was made.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

from measures import MODES, SHARED, Scores, print_scores, reciprocal_rank, store_of

DEPTH = 20


def main(folder: Path) -> None:
    """Print MRR and hit@10 of every mode."""
    asked = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    scores: Scores = defaultdict(list)
    groups = ["all", *dict.fromkeys(q["type"] for q in asked), *dict.fromkeys(q["source"] for q in asked)]
    with store_of(folder / "messages.jsonl") as memory:
        print(f"tokens before / after distilling: {memory.status().tokens}\n")
        for question in asked:
            gold = [id for entry in question["gold"] if entry["grade"] == 3 for id in entry["message_ids"]]
            for mode in MODES:
                rank = reciprocal_rank(memory.search(question["query"], limit=DEPTH, mode=mode).hits, gold)
                for group in ("all", question["type"], question["source"]):
                    scores[mode, group].append((rank, float(rank >= 0.1)))
    print("MRR / hit@10 (queries)\n")
    print_scores(scores, groups)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "coding_history")
