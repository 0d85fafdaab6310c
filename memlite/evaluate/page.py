"""A report as one HTML page that needs nothing else: tables, and plots drawn as SVG."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from memlite.evaluate import tables
from memlite.types.evaluation import EvalReport, Line

MOST_BARS = 40
WIDTH, ROW, LABEL = 900, 18, 330
HEIGHT, MARGIN = 380, 56
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
td, th { padding: 2px 8px; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
td:first-child, td:nth-child(2), th:first-child, th:nth-child(2) { text-align: left }
svg text { font: 11px system-ui, sans-serif; fill: #333 } .bar { fill: #4878a8 } .dot { fill: #4878a8; opacity: .7 }
.whisker, .axis { stroke: #222; stroke-width: 1 } .scroll { overflow-x: auto }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } svg text { fill: #ccc }
  .whisker, .axis { stroke: #ccc } td, th { border-color: #444 } }
"""


def page(report: EvalReport) -> str:
    """Return the page of a report; all that comes from data is escaped."""
    best = tables.whole(report)
    shown = [line.plan for line in best[:5]]
    parts = [
        f"<h1>{escape(report.run.dataset)}</h1>",
        f"<p>{escape(tables.origin(report))}. Started {escape(report.run.started_at)}. "
        "Brackets and whiskers are 95 % intervals from resampling the questions.</p>",
        f"<p>MRR of the best of {len(best)} configurations for each question: {report.oracle:.3f}.</p>",
        "<h2>Recall by configuration</h2>",
        bars([(line.plan, line) for line in best[:MOST_BARS]], "recall@10"),
        "<h2>By category</h2>",
        bars(_categories(report, shown), "MRR"),
        "<h2>Latency against quality</h2>",
        scatter(best, lambda line: line.ms_p50, "milliseconds a question (median)"),
        "<h2>Tokens against answers</h2>",
        scatter(best, lambda line: line.tokens, "tokens of the distilled text of ten hits"),
        "<h2>Figures</h2>",
        _table([tables.HEAD, *map(tables.cells, best)]),
        "<h2>Figures by category</h2>",
        _table([tables.HEAD, *map(tables.cells, tables.by_category(report, shown))]),
    ]
    title = f"memlite on {escape(report.run.dataset)}"
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f"{head}<body>{''.join(parts)}</body></html>\n"


def _categories(report: EvalReport, plans: Sequence[str]) -> list[tuple[str, Line]]:
    lines = tables.by_category(report, plans)
    order = sorted((line for line in lines if line.category), key=lambda line: line.category)
    return [(f"{line.category}: {line.plan}", line) for line in order]


def bars(rows: Sequence[tuple[str, Line]], metric: str) -> str:
    """Return a bar for each row with its interval, as SVG."""
    scale = WIDTH - LABEL - 60
    drawn = []
    for at, (label, line) in enumerate(rows):
        one, top = line.metrics[metric], at * ROW
        low, high = (LABEL + scale * value for value in (one.low, one.high))
        drawn.append(
            f'<text x="{LABEL - 6}" y="{top + 13}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="bar" x="{LABEL}" y="{top + 3}" width="{scale * one.mean:.1f}" height="{ROW - 6}"/>'
            f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{top + ROW / 2}" y2="{top + ROW / 2}"/>'
            f'<text x="{max(high, LABEL) + 6:.1f}" y="{top + 13}">{one.mean:.3f}</text>'
        )
    return _svg(drawn, ROW * len(rows) + 4, metric)


def scatter(lines: Sequence[Line], across: Callable[[Line], float], name: str, metric: str = "MRR") -> str:
    """Return a dot for each line, quality against what it costs, as SVG; a dot tells its plan when pointed at."""
    widest = max((across(line) for line in lines), default=0) or 1.0
    drawn = list(_axes(widest, name, metric))
    for line in lines:
        x = MARGIN + (WIDTH - 2 * MARGIN) * across(line) / widest
        y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * line.metrics[metric].mean
        told = f"{line.plan}: {line.metrics[metric].mean:.3f}, {across(line):.1f}"
        drawn.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{escape(told)}</title></circle>')
    return _svg(drawn, HEIGHT, f"{metric} against {name}")


def _axes(widest: float, name: str, metric: str) -> Iterable[str]:
    bottom, right = HEIGHT - MARGIN, WIDTH - MARGIN
    yield f'<line class="axis" x1="{MARGIN}" y1="{bottom}" x2="{right}" y2="{bottom}"/>'
    yield f'<line class="axis" x1="{MARGIN}" y1="{MARGIN}" x2="{MARGIN}" y2="{bottom}"/>'
    for quarter in range(5):
        x, y = (MARGIN + (right - MARGIN) * quarter / 4), (bottom - (bottom - MARGIN) * quarter / 4)
        yield f'<text x="{x}" y="{bottom + 16}" text-anchor="middle">{widest * quarter / 4:.4g}</text>'
        yield f'<text x="{MARGIN - 6}" y="{y + 4}" text-anchor="end">{quarter / 4:.2f}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(name)}</text>'
    yield f'<text x="{MARGIN}" y="{MARGIN - 14}">{escape(metric)}</text>'


def _svg(drawn: Sequence[str], height: int, what: str) -> str:
    box = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{escape(what)}"'
    return f'<div class="scroll"><svg xmlns="http://www.w3.org/2000/svg" {box}>{"".join(drawn)}</svg></div>'


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    lines = [f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rest]
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'
