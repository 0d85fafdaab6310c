"""A run: which data, which model, which code and machine made its figures, and what they say.

Of a run that is kept, every figure can be made again from the outcomes; no figure is kept itself.
"""

import platform
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from memlite.evaluate import metrics
from memlite.memory import Memory
from memlite.types.evaluation import Dataset, EvalReport, Line, Outcome, RunRecord


def describe(dataset: Dataset, settings: Mapping[str, str]) -> RunRecord:
    """Return what a run over a data set has to tell about itself, as of now."""
    with TemporaryDirectory() as folder, Memory(Path(folder) / "empty.db", key="") as memory:
        embedder = memory.embedder_digest
    return RunRecord(
        dataset=dataset.name,
        data_digest=dataset.digest,
        embedder=embedder,
        version=version("memlite"),
        commit=commit(),
        machine=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        settings=dict(settings),
        skipped=dataset.skipped,
    )


def summarise(run: RunRecord, outcomes: Sequence[Outcome]) -> EvalReport:
    """Return the figures of a run: a line for each plan, on all questions and on those of each category."""
    by_plan = metrics.by_plan(outcomes)
    lines = tuple(line for plan, found in sorted(by_plan.items()) for line in _lines(plan, found))
    return EvalReport(run, metrics.oracle(by_plan), lines)


def _lines(plan: str, outcomes: Sequence[Outcome]) -> list[Line]:
    groups: dict[str, list[Outcome]] = defaultdict(list, {"": list(outcomes)})
    for outcome in outcomes:
        if outcome.category:
            groups[outcome.category].append(outcome)
    return [_line(plan, category, group) for category, group in groups.items()]


def _line(plan: str, category: str, outcomes: Sequence[Outcome]) -> Line:
    times = [outcome.milliseconds for outcome in outcomes]
    return Line(
        plan=plan,
        category=category,
        questions=len(outcomes),
        answered=metrics.coverage(outcomes),
        tokens=metrics.mean([outcome.tokens for outcome in outcomes]),
        ms_p50=metrics.percentile(times, 0.5),
        ms_p95=metrics.percentile(times, 0.95),
        metrics={name: metrics.estimate([of(one) for one in outcomes]) for name, of in metrics.METRICS.items()},
    )


def commit() -> str:
    """Return the commit of the checkout memlite runs from, "" outside one; `+` tells of changes not committed."""
    git = ("git", "-C", str(Path(__file__).parent))
    try:
        head = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=False)
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False)
    except FileNotFoundError:  # no git on this machine
        return ""
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "") if head.returncode == 0 else ""
