"""LoCoMo: is the evidence of a question among the exchanges found? No language model takes part.

    python benchmarks/locomo.py [FOLDER with locomo3.json and queries3.jsonl]

One store a conversation, exchange level, categories 1 to 4. Recall@10 is the share of gold messages in the first ten
exchanges; MRR counts the first exchange with a gold message, over the first twenty.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from measures import MODES, SHARED, Scores, print_scores, recall, reciprocal_rank, store_of

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DEPTH = 20


def main(folder: Path) -> None:
    """Print recall@10 and MRR of every mode."""
    samples = {sample["sample_id"]: sample for sample in json.loads((folder / "locomo3.json").read_text())}
    asked = [json.loads(line) for line in (folder / "queries3.jsonl").read_text().splitlines()]
    scores: Scores = defaultdict(list)
    for name, sample in samples.items():
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "sample.json"
            file.write_text(json.dumps([sample]))
            with store_of(file) as memory:
                for question in asked:
                    if question["conversation"] != name or question["category"] not in CATEGORIES:
                        continue
                    gold = [id.split("/", 1)[1] for id in question["gold"]]
                    for mode in MODES if gold else ():
                        hits = memory.search(question["question"], limit=DEPTH, mode=mode).hits
                        score = (recall(hits[:10], gold), reciprocal_rank(hits, gold))
                        for group in ("all", name, CATEGORIES[question["category"]]):
                            scores[mode, group].append(score)
    print("recall@10 / MRR (questions)\n")
    print_scores(scores, ["all", *samples, *CATEGORIES.values()])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "locomo")
