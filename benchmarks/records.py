"""How well records are what a careful reader would keep, on the hand-labelled windows.

    python benchmarks/records.py [--held-out] [--misses FILE] [--fit]
    python benchmarks/records.py --engine gguf [--model PATH] [--threads N] [--windows N] [--some]

A record matches a gold one of the same message when their words agree with an F1 of 0.6 or more; each is matched once,
best pairs first. Development windows are those whose line in the file is not the fourth of four; `--held-out` scores
the others, which nothing was fitted or looked at on. `--fit` writes the weights of `memlite/extract/weights.py` from
the development windows; `--misses` prints what was missed and what was invented in one file. `--engine gguf` has a
model read the last messages of every window (of N, spread over all files), alone and beside the rules, and prints what
of its records the gate kept and refused; with `--some` it may not answer that nothing is stated.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memlite.extract import extract
from memlite.extract.merging import bag, f1, give_way
from memlite.extract.model import extract_with
from memlite.extract.pieces import MOST_NEW
from memlite.extract.reader import Reader
from memlite.extract.records import kind_signs
from memlite.extract.weights import THRESHOLD
from memlite.models.loading import load_generator
from memlite.types.records import Heard, Record, Window

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "labelled"
FILES = ("coding_backend", "coding_frontend_ops", "personal", "peers", "work_hard", "multilingual")
MATCH = 0.6
DIMENSIONS = ("location", "reason", "purpose")
KINDS_IN_ORDER = ("fact", "episodic", "profile")
BOTH_RIGHT = {"profile", "fact"}
"""The labellers decided differently whether a standing rule is one or the other."""

Gold = dict[str, Any]


class Labelled(NamedTuple):
    """A window and what should be found in it."""

    id: str
    lang: str
    window: Window
    gold: list[Gold]


def load(name: str, *, held_out: bool) -> Iterator[Labelled]:
    """Yield the windows of a file, of its development or its held-out part."""
    for number, line in enumerate((DATA / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")):
        if line and (number % 4 == 3) == held_out:
            row = json.loads(line)
            heard = tuple(Heard(m["ply"], m["role"], m["content"], m["speaker"], m["said_at"]) for m in row["messages"])
            yield Labelled(row["id"], row["lang"], Window(heard, row["overlap"], row["style"]), row["records"])


def matched(made: Sequence[Record], gold: Sequence[Gold]) -> list[tuple[Record, Gold]]:
    """Pair records with gold ones, best first, each once."""
    pairs = sorted(
        (
            (f1(bag(record.content), bag(wanted["content"])), -m, -g)
            for m, record in enumerate(made)
            for g, wanted in enumerate(gold)
            if record.ply == wanted["ply"]
        ),
        reverse=True,
    )
    used_made, used_gold, found = set[int](), set[int](), list[tuple[Record, Gold]]()
    for score, m, g in pairs:
        if score >= MATCH and m not in used_made and g not in used_gold:
            used_made.add(m)
            used_gold.add(g)
            found.append((made[-m], gold[-g]))
    return found


def label(record: Record) -> str:
    """A record's time as the gold writes it: what holds since or until a day has that day."""
    start, end = record.time_start or record.time_end or "", record.time_end
    return start if end is None or end == start else f"{start}/{end}"


def tally(made: Sequence[Record], gold: Sequence[Gold]) -> Counter[str]:
    """Count what one window's records got right."""
    counts = Counter(made=len(made), gold=len(gold))
    for record, wanted in matched(made, gold):
        counts["found"] += 1
        counts["type"] += record.type == wanted["type"]
        counts["type or rule"] += record.type == wanted["type"] or {record.type, wanted["type"]} == BOTH_RIGHT
        counts["timed"] += bool(wanted["time"])
        counts["time"] += bool(wanted["time"]) and label(record) == wanted["time"]
        counts["untimed"] += not wanted["time"]
        counts["time invented"] += not wanted["time"] and bool(record.time_start or record.time_end)
        mine, theirs = bag(" ".join(record.keywords)), bag(" ".join(wanted["keywords"]))
        counts["keyword words"] += len(theirs)
        counts["keyword words found"] += len(mine & theirs)
        counts["keyword words made"] += len(mine)
        for name in DIMENSIONS:
            given, wished = getattr(record, name), wanted[name]
            counts[f"{name} gold"] += bool(wished)
            counts[f"{name} made"] += bool(given)
            counts[f"{name} exact"] += bool(wished) and given.casefold() == wished.casefold()
            counts[f"{name} right"] += bool(wished and given) and f1(bag(given), bag(wished)) >= MATCH
    return counts


def ratio(counts: Counter[str], part: str, whole: str) -> str:
    """A share, or `–` of nothing."""
    return f"{counts[part] / counts[whole]:.3f}" if counts[whole] else "–"


HEAD = (
    "what", "gold", "made", "precision", "recall", "type", "type or rule", "time exact", "time invented",
    "location", "reason", "purpose", "keyword precision / recall",
)  # fmt: skip


def row(name: str, counts: Counter[str]) -> str:
    """One line of the table. Of location, reason and purpose: right / given / gold, among the matched."""
    shares = [
        ("found", "made"), ("found", "gold"), ("type", "found"), ("type or rule", "found"), ("time", "timed"),
        ("time invented", "untimed"),
    ]  # fmt: skip
    parts = [f"{counts[f'{k} right']}/{counts[f'{k} made']}/{counts[f'{k} gold']}" for k in DIMENSIONS]
    keywords = [ratio(counts, "keyword words found", whole) for whole in ("keyword words made", "keyword words")]
    cells = [name, str(counts["gold"]), str(counts["made"]), *(ratio(counts, *pair) for pair in shares), *parts]
    cells.append(" / ".join(keywords))
    return f"| {' | '.join(cells)} |"


def report(*, held_out: bool) -> Iterator[str]:
    """The table, by file and language."""
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    messages, spent = 0, 0.0
    for name in FILES:
        for one in load(name, held_out=held_out):
            started = time.process_time()
            made = extract(one.window)
            spent += time.process_time() - started
            messages += len(one.window.messages)
            counts = tally(made, one.gold)
            for group in (name, f"– {one.lang}", "all"):
                groups[group].update(counts)
    langs = sorted((group for group in groups if group[0] == "–"), key=lambda group: -groups[group]["gold"])
    for group in (*FILES, *langs, "all"):
        yield row(group, groups[group])
    yield f"\n{messages / spent:.0f} messages a second"


def ended(one: Labelled) -> Labelled:
    """A window of which only the last messages are new: what a model is asked at once."""
    overlap = max(one.window.overlap, len(one.window.messages) - MOST_NEW)
    window = Window(one.window.messages, overlap, one.window.style)
    plies = {message.ply for message in window.new}
    return Labelled(one.id, one.lang, window, [wanted for wanted in one.gold if wanted["ply"] in plies])


def by_model(model: str | None, threads: int, count: int, *, some: bool) -> Iterator[str]:
    """What a model's records are worth, alone and beside those of the rules."""
    found = [ended(one) for name in FILES for one in load(name, held_out=False)]
    refused, failed = Counter[str](), Counter[str]()
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    generator = load_generator(model, threads)
    read = extract_with(generator, refused, some=some)
    started = time.monotonic()
    for one in found[:: max(1, len(found) // count)][:count]:
        rules = extract(one.window)
        try:
            made = read(one.window)
        except ValueError as error:
            failed[str(error)] += 1
            made = []
        both = list(rules)
        for record in made:
            gone = give_way(record, {n: other for n, other in enumerate(both) if other.ply == record.ply})
            if gone is not None:
                groups["replaced"]["records"] += len(gone)
                both = [*(other for n, other in enumerate(both) if n not in gone), record]
        for group, records in (("rules", rules), (generator.info.name, made), ("both", both)):
            groups[group].update(tally(records, one.gold))
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    yield from (row(group, groups[group]) for group in ("rules", generator.info.name, "both"))
    spent = (time.monotonic() - started) / count
    yield f"\n{count} windows, {spent:.1f} s each; records of the rules replaced: {groups['replaced']['records']}"
    yield f"failed: {dict(failed)}; refused or left out: {dict(refused.most_common())}"


def misses(name: str) -> Iterator[str]:
    """What was missed, invented and mistaken in the development windows of a file."""
    for one in load(name, held_out=False):
        made = extract(one.window)
        pairs = matched(made, one.gold)
        yield f"===== {one.id} {one.lang}"
        for message in one.window.new:
            yield f"[{message.ply}] {message.speaker} {message.said_at}: {message.content}"
            for record, wanted in pairs:
                if record.ply == message.ply:
                    yield f"   =  {record.content}\n    g {wanted['content']}"
                    dimensions = [f"{key} {getattr(record, key)} | {wanted[key]}" for key in (*DIMENSIONS, "keywords")]
                    yield f"      {record.type}/{wanted['type']} {label(record)} | {wanted['time']} {dimensions}"
            for record in made:
                if record.ply == message.ply and all(record is not pair[0] for pair in pairs):
                    yield f"   +  {record.confidence:.2f} {record.content}  T {label(record)}"
            for wanted in one.gold:
                if wanted["ply"] == message.ply and all(wanted is not pair[1] for pair in pairs):
                    yield f"   -  {wanted['content']}  T {wanted['time']}"


class Examples(NamedTuple):
    """What the weights are fitted on: candidates of the development windows."""

    signs: list[tuple[str, ...]]
    kept: list[bool]
    """Whether a candidate matches a gold record."""
    kinds: list[tuple[tuple[str, ...], str]]
    """Of those that do: the signs and the gold type."""


def examples() -> Examples:
    """Every candidate of the development windows."""
    found = Examples([], [], [])
    for name in FILES:
        for one in load(name, held_out=False):
            gold = defaultdict(list)
            for wanted in one.gold:
                gold[wanted["ply"]].append((bag(wanted["content"]), wanted["type"]))
            for sentence in Reader(one.window).sentences():
                for candidate in sentence.candidates:
                    made = bag(candidate.content)
                    score, type = max(
                        ((f1(made, words), type) for words, type in gold[sentence.message.ply]), default=(0, "")
                    )
                    found.signs.append(candidate.signs)
                    found.kept.append(score >= MATCH)
                    if score >= MATCH:
                        found.kinds.append((kind_signs(sentence, candidate), type))
    return found


def fitted(
    signs: Sequence[tuple[str, ...]], kept: Sequence[bool], names: Sequence[str], ridge: float = 3.0
) -> np.ndarray:
    """Logistic regression by Newton's method."""
    index = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(signs), len(names)))
    for line, found in enumerate(signs):
        for sign in found:
            if sign in index:
                x[line, index[sign]] = 1.0
    y = np.array(kept, float)
    w = np.zeros(len(names))
    for _ in range(25):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) + ridge * w
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(names)), gradient)
        w -= step
        if np.abs(step).max() < 1e-4:
            break
    return w


def frequent(signs: Iterable[tuple[str, ...]], least: int) -> list[str]:
    """The signs seen often enough to be weighed."""
    counts = Counter(sign for found in signs for sign in found)
    return sorted(sign for sign, count in counts.items() if count >= least)


def fit() -> Iterator[str]:
    """The weights, as the module that holds them."""
    found = examples()
    names = frequent(found.signs, 40)
    weights = fitted(found.signs, found.kept, names)
    yield '"""What each sign weighs, in log odds. Written by `benchmarks/records.py --fit`; data, not code."""\n'
    yield f"THRESHOLD = {THRESHOLD}"
    yield '"""Likelihood from which a candidate is a record."""\n'
    yield "WEIGHTS: dict[str, float] = {"
    yield from (
        f'    "{name}": {weight:.2f},' for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.03
    )
    yield "}\n"
    signs = [signs for signs, _ in found.kinds]
    names = frequent(signs, 12)
    columns = [fitted(signs, [type == kind for _, type in found.kinds], names) for kind in KINDS_IN_ORDER]
    yield "KINDS: dict[str, tuple[float, float, float]] = {"
    yield from (f'    "{name}": ({a:.2f}, {b:.2f}, {c:.2f}),' for name, a, b, c in zip(names, *columns, strict=True))
    yield "}"
    yield '"""For `fact`, `episodic` and `profile`."""'


def main(lines: Iterable[str] = ()) -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--misses", choices=FILES)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--engine", choices=("extractive", "gguf"), default="extractive")
    parser.add_argument("--model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--windows", type=int, default=30)
    parser.add_argument("--some", action="store_true", help="the model must write at least one record a time")
    options = parser.parse_args()
    if options.fit:
        (ROOT / "memlite/extract/weights.py").write_text("\n".join(fit()) + "\n", encoding="utf-8")
        return
    if options.engine == "gguf":
        lines = by_model(options.model, options.threads, options.windows, some=options.some)
    else:
        lines = misses(options.misses) if options.misses else report(held_out=options.held_out)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
