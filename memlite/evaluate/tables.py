"""Reports as text: aligned for a terminal, and Markdown."""

from collections.abc import Iterable, Sequence

from memlite.types.evaluation import Estimate, EvalReport, Line

SHOWN = ("recall@10", "MRR", "P@1", "P@10", "hit@10", "nDCG@10")
HEAD = ("plan", "category", "questions", "answered", *SHOWN, "tokens", "ms p50", "p95")


def whole(report: EvalReport) -> list[Line]:
    """Return the lines on all questions, best MRR first."""
    lines = [line for line in report.lines if not line.category]
    return sorted(lines, key=lambda line: (-line.metrics["MRR"].mean, line.plan))


def by_category(report: EvalReport, plans: Iterable[str]) -> list[Line]:
    """Return of these plans the lines on all questions, each followed by those of the categories."""
    return [line for plan in plans for line in report.lines if line.plan == plan]


def cells(line: Line) -> tuple[str, ...]:
    """Return a line in the order of HEAD."""
    return (
        line.plan,
        line.category or "all",
        f"{line.questions:,}",
        f"{line.answered:,}",
        *(interval(line.metrics[name]) for name in SHOWN),
        f"{line.tokens:,.0f}",
        f"{line.ms_p50:.1f}",
        f"{line.ms_p95:.1f}",
    )


def interval(one: Estimate) -> str:
    """Return `0.827 [0.79 0.86]`."""
    return f"{one.mean:.3f} [{one.low:.2f} {one.high:.2f}]"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of text, the first two columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as a Markdown table, the first as its head."""
    head, *rest = rows
    return [_row(head), _row(["---"] * len(head)), *map(_row, rest)]


def _row(row: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def origin(report: EvalReport) -> str:
    """Return where figures come from, in one line."""
    run = report.run
    where = f"memlite {run.version}" + (f" at {run.commit}" if run.commit else "")
    return f"{run.dataset}, data {run.data_digest}, embedding model {run.embedder}, {where}, {run.machine}"
