"""What the retrieval benchmarks share: making a store from a file, asking, and counting."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import memlite
from memlite.types.query import Hit

MODES = ("verbatim", "distilled", "cross", "auto")
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@contextmanager
def store_of(path: Path) -> Iterator[memlite.Memory]:
    """Yield a store in a temporary folder with one file imported, distilled and embedded."""
    with tempfile.TemporaryDirectory() as folder, memlite.open(Path(folder) / "bench.db") as memory:
        memory.import_path(path)
        memory.distill()
        yield memory


def recall(hits: Sequence[Hit], gold: Iterable[str]) -> float:
    """Return the share of gold messages (external ids) that lie in the hits' exchanges."""
    wanted = set(gold)
    found = {id for hit in hits for id in hit.external_ids}
    return len(wanted & found) / len(wanted)


def reciprocal_rank(hits: Sequence[Hit], gold: Iterable[str]) -> float:
    """Return 1 / the rank of the first exchange with a gold message, 0 when there is none."""
    wanted = set(gold)
    ranks = (rank for rank, hit in enumerate(hits, start=1) if wanted & set(hit.external_ids))
    return 1 / next(ranks, float("inf"))


def mean(values: Sequence[float]) -> float:
    """Return the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


Scores = dict[tuple[str, str], list[tuple[float, float]]]
"""(mode, group) -> a pair of figures for each question."""


def print_scores(scores: Scores, groups: Sequence[str]) -> None:
    """Print the means of both figures as a Markdown table: a row a mode, a column a group."""
    head = ["mode", *(f"{group} ({len(scores[MODES[0], group])})" for group in groups)]
    rows = [[mode, *(_means(scores[mode, group]) for group in groups)] for mode in MODES]
    print("\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows]))


def _means(pairs: Sequence[tuple[float, float]]) -> str:
    return " / ".join(f"{mean(values):.3f}" for values in zip(*pairs, strict=True))
