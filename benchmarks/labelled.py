"""How good the extractive distiller is, on the hand-labelled windows and on one developer's real history.

    python benchmarks/labelled.py [--half even|odd|all] [--dense] [--show N]

Per file: word F1 of `exchange_core` against the gold core, the share of the words of gold `specific_context` that the
distilled text holds, tokens an object (WordPiece of all-MiniLM-L6-v2), and how well each exchange is found by its gold
core among all exchanges of its file (MRR, BM25 in FTS5 and dense). A crude picker (the first 20 words of each side) and
the whole exchange run beside it. While designing, look only at the windows with an even number.
"""

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import apsw
import numpy as np
from tokenizers import BertWordPieceTokenizer

from memlite.distill import distil, skip_reason
from memlite.extract import merging
from memlite.text.words import words
from memlite.types.palace import Exchange, Turn

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
FILES = ("coding_backend", "coding_frontend_ops", "personal", "peers", "work_hard", "multilingual")
TOKENIZER = BertWordPieceTokenizer(str(ROOT / "memlite/models/minilm/vocab.txt"), lowercase=True)

Item = tuple[str, str, Exchange, str, str]
"""Window id, language, exchange, gold core, gold context."""


def labelled(name: str, half: str) -> list[Item]:
    """The labelled exchanges of a file, of windows with an even or odd number, or all."""
    items = []
    for line in (DATA / "labelled" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        window = json.loads(line)
        odd = int(window["id"].split("-")[-1]) % 2 == 1
        if half != "all" and odd != (half == "odd"):
            continue
        for gold in window["objects"]:
            first, last = gold["plies"]
            turns = tuple(
                Turn(m["role"], m["content"], m["speaker"] if window["style"] == "peers" else "", m["said_at"])
                for m in window["messages"]
                if first <= m["ply"] <= last
            )
            exchange = Exchange(turns, style=window["style"])
            items.append((window["id"], window["lang"], exchange, gold["exchange_core"], gold["specific_context"]))
    return items


def history() -> list[Exchange]:
    """The exchanges of the coding history, segmented by the plain rule: a user message after an answer opens one."""
    exchanges: list[Exchange] = []
    turns: list[Turn] = []
    conversation = None

    def close() -> None:
        if turns and not skip_reason(Exchange(tuple(turns))):
            exchanges.append(Exchange(tuple(turns)))
        turns.clear()

    for line in (DATA / "coding_history" / "messages.jsonl").read_text(encoding="utf-8").splitlines():
        message = json.loads(line)
        if message["role"] not in ("user", "assistant"):
            continue
        answered = any(turn.role == "assistant" and turn.content.strip() for turn in turns)
        if message["conversation"] != conversation or (message["role"] == "user" and answered):
            close()
        conversation = message["conversation"]
        turns.append(Turn(message["role"], message["content"]))
    close()
    return exchanges


def crude(exchange: Exchange) -> str:
    """The baseline: the first 20 words of each side."""
    sides: dict[str, list[str]] = defaultdict(list)
    for turn in exchange.turns:
        sides[turn.label].extend(turn.content.split())
    return " ".join(" ".join(side[:20]) for side in sides.values())


def distilled(exchange: Exchange) -> str:
    """What is embedded of an exchange."""
    return distil(exchange).distilled_text


def tokens(text: str) -> int:
    """WordPiece tokens, without the two that frame a text."""
    return len(TOKENIZER.encode(text, add_special_tokens=False).ids)


def bag(text: str) -> list[str]:
    """Words for comparing, case folded."""
    return [word.casefold() for word in words(text)]


def f1(made: str, gold: str) -> float:
    """Word F1 over sets."""
    return merging.f1(merging.bag(made), merging.bag(gold))


def kept(made: str, gold: str) -> float:
    """Share of gold words present."""
    wanted = set(bag(gold))
    return len(wanted & set(bag(made))) / len(wanted) if wanted else 1.0


def bm25_mrr(texts: Sequence[str], queries: Sequence[str]) -> float:
    """MRR of finding text i with query i."""
    connection = apsw.Connection(":memory:")
    connection.execute("create virtual table t using fts5(x, tokenize='porter unicode61')")
    connection.executemany("insert into t values (?)", [(" ".join(bag(text)),) for text in texts])
    total = 0.0
    for wanted, query in enumerate(queries, 1):
        terms = " OR ".join('"' + term.replace('"', '""') + '"' for term in dict.fromkeys(bag(query)))
        ids = [
            row[0]
            for row in connection.execute("select rowid from t where t match ? order by bm25(t) limit 50", (terms,))
        ]
        total += 1 / (ids.index(wanted) + 1) if wanted in ids else 0.0
    return total / len(queries)


def dense_mrr(embed: Callable[[Sequence[str]], list[bytes]], texts: Sequence[str], queries: Sequence[str]) -> float:
    """MRR of finding text i with query i by cosine."""
    matrix, asked = (np.array([np.frombuffer(v, "<f4") for v in embed(list(x))]) for x in (texts, queries))
    scores = asked @ matrix.T
    return float(np.mean(1 / (1 + (scores > np.diag(scores)[:, None]).sum(axis=1))))


def row(
    name: str, items: Sequence[Item], make: Callable[[Exchange], str], core: Callable[[Exchange], str], embed: object
) -> str:
    """One line of the table."""
    texts = [make(item[2]) for item in items]
    golds = [item[3] for item in items]
    count = len(items)
    cells = [
        sum(f1(core(item[2]), item[3]) for item in items) / count,
        sum(kept(text, item[4]) for text, item in zip(texts, items, strict=True)) / count,
        sum(kept(text, item[3]) for text, item in zip(texts, items, strict=True)) / count,
        bm25_mrr(texts, golds),
        *([dense_mrr(embed, texts, golds)] if callable(embed) else []),
    ]
    size = sum(map(tokens, texts)) / count
    return f"| {name} | {count} | {size:.1f} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |"


def report(half: str, embed: object) -> Iterable[str]:
    """The table."""
    by_file = {name: labelled(name, half) for name in FILES}
    yield "| what | n | tokens | core F1 | context words | gold core words | BM25 MRR |" + (
        " dense MRR |" if embed else ""
    )
    yield "|---" * (8 if embed else 7) + "|"
    pickers: tuple[tuple[str, Callable[[Exchange], str], Callable[[Exchange], str]], ...] = (
        ("distilled", distilled, lambda e: distil(e).exchange_core),
        ("crude", crude, crude),
        ("whole", lambda e: e.text, lambda e: e.text),
    )
    for label, make, core in pickers:
        for name, items in by_file.items():
            yield row(f"{name}, {label}", items, make, core, embed)
    for lang in sorted({item[1] for item in by_file["multilingual"]}):
        items = [item for item in by_file["multilingual"] if item[1] == lang]
        if len(items) > 3:
            yield row(f"multilingual {lang}, distilled", items, distilled, lambda e: distil(e).exchange_core, None)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="even")
    parser.add_argument("--dense", action="store_true", help="also embed (minutes)")
    parser.add_argument("--show", type=int, default=0, help="print so many objects of the coding history")
    options = parser.parse_args()
    embed: object = None
    if options.dense:
        from memlite.models.onnx import MiniLM

        embed = MiniLM().embed
    out = sys.stdout
    out.write("\n".join(report(options.half, embed)) + "\n\n")
    exchanges = history()
    started = time.perf_counter()
    objects = [distil(exchange) for exchange in exchanges]
    took = time.perf_counter() - started
    before = sum(tokens(exchange.text) for exchange in exchanges)
    after = sum(tokens(made.distilled_text) for made in objects)
    out.write(
        f"coding history: {len(exchanges)} exchanges, {before / len(exchanges):.0f} tokens an exchange,"
        f" {after / len(exchanges):.1f} an object, ratio {before / after:.1f};"
        f" {len(exchanges) / took:.0f} exchanges a second\n"
    )
    step = max(1, len(exchanges) // options.show) if options.show else 1
    for exchange, made in list(zip(exchanges, objects, strict=True))[step // 2 :: step][: options.show]:
        text = re.sub(r"\s+", " ", exchange.text)[:700]
        out.write(f"\n--- {text}\n=> {made.exchange_core}\n@  {made.specific_context}\n")
        out.write(
            f"#  {[f'{r.type}:{r.key}' for r in made.rooms]}  {[f'{f.action} {f.path}' for f in made.files[:4]]}\n"
        )


if __name__ == "__main__":
    main()
