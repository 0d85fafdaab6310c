"""The four claims of arXiv 2603.13017, held against what a sweep over the grid found.

What is best is chosen by the same questions that it is then measured with, for the verbatim side and the distilled
alike; so each claim is told for the plan that memlite ships, too. p is that of the paired permutation test, corrected
by Bonferroni for the size of the family it is the best, or one, of.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from memlite.evaluate import tables
from memlite.evaluate.metrics import estimate, mean, reciprocal_rank
from memlite.evaluate.significance import Comparison, bonferroni, compare
from memlite.types.evaluation import Estimate, Outcome

ALPHA = 0.05
MEANING, SAID = "D:dense", "V:dense"
BEST_SHARE, TIMES = 0.96, 11
_FIELDS = re.compile(r"\[[^]]*\]")
Found = Mapping[str, Sequence[Outcome]]


class Claim(Struct, frozen=True):
    """What is claimed, what was measured, and whether it holds here."""

    claim: str
    first: str
    second: str
    """The plans compared; for tokens "distilled" and "verbatim"."""
    value: float
    """MRR of the first over that of the second, or the difference, as the claim says."""
    holds: bool
    scores: tuple[Estimate, Estimate] | None = None
    comparison: Comparison | None = None
    p_corrected: float | None = None
    family: int = 1
    """Comparisons that the correction is for."""


def examine(found: Found, tokens: tuple[int, int]) -> tuple[Claim, ...]:
    """Return the claims, each with its figures. `tokens` are those before and after distilling.

    `found` has the outcomes of the pure and cross-layer plans of the grid, of the same questions in the same order.
    """
    scores = {plan: [reciprocal_rank(outcome) for outcome in outcomes] for plan, outcomes in found.items()}
    return tuple(_claims(scores, tokens))


def _claims(scores: Mapping[str, Sequence[float]], tokens: tuple[int, int]) -> Iterator[Claim]:
    verbatim = best(scores, lambda plan: is_pure(plan) and plan.startswith("V:"))
    yield _keeps(scores, MEANING, verbatim, "the best verbatim MRR")
    if SAID in scores:
        yield _keeps(scores, MEANING, SAID, "the MRR by meaning on the verbatim")
    words = [plan for plan in scores if is_pure(plan) and plan.startswith("D[")]
    for plan in words:
        yield _loses(scores, plan, verbatim, len(words))
    pure = best(scores, is_pure)
    yield _beats(scores, best(scores, is_crossed), pure, sum(map(is_crossed, scores)))
    for shipped in ("cross", "auto"):
        if shipped in scores:
            yield _beats(scores, shipped, pure, 1)
    before, after = tokens
    yield Claim("tokens fall 11 times", "verbatim", "distilled", before / after, before / after >= TIMES)


def is_pure(plan: str) -> bool:
    """Say whether a plan of the grid is one route."""
    return ":" in plan and len(_routes(plan)) == 1


def is_crossed(plan: str) -> bool:
    """Say whether a plan of the grid joins layers."""
    return ":" in plan and len({route[0] for route in _routes(plan)}) > 1


def _routes(plan: str) -> list[str]:
    return _FIELDS.sub("", plan).split("+")


def best(scores: Mapping[str, Sequence[float]], among: Callable[[str], bool]) -> str:
    """Return the plan with the best MRR of those that are meant."""
    return max(filter(among, scores), key=lambda plan: mean(scores[plan]))


def _keeps(scores: Mapping[str, Sequence[float]], plan: str, other: str, what: str) -> Claim:
    share = mean(scores[plan]) / mean(scores[other]) if any(scores[other]) else 0.0
    text = f"meaning on the distilled keeps {BEST_SHARE:.0%} of {what}"
    return _compared(scores, text, plan, other, share, 1, lambda p: share >= BEST_SHARE)


def _loses(scores: Mapping[str, Sequence[float]], plan: str, other: str, family: int) -> Claim:
    difference = mean(scores[plan]) - mean(scores[other])
    text = "keywords on the distilled lose significantly"
    return _compared(scores, text, plan, other, difference, family, lambda p: p < ALPHA and difference < 0)


def _beats(scores: Mapping[str, Sequence[float]], plan: str, other: str, family: int) -> Claim:
    difference = mean(scores[plan]) - mean(scores[other])
    text = "across layers is better than the best pure plan"
    return _compared(scores, text, plan, other, difference, family, lambda p: difference > 0)


def _compared(
    scores: Mapping[str, Sequence[float]],
    text: str,
    first: str,
    second: str,
    value: float,
    family: int,
    holds: Callable[[float], bool],
) -> Claim:
    """Return a claim about two plans; whether it holds may depend on the corrected p."""
    compared = compare(scores[first], scores[second])
    p = bonferroni(compared.p, family)
    estimates = estimate(scores[first]), estimate(scores[second])
    return Claim(text, first, second, value, holds(p), estimates, compared, p, family)


HEAD = ("claim", "plans", "MRR of each", "value", "p", "Cliff's delta", "Cohen's d", "holds")


def cells(claim: Claim) -> tuple[str, ...]:
    """Return a claim in the order of HEAD."""
    compared, scores = claim.comparison, claim.scores
    return (
        claim.claim,
        f"{claim.first} / {claim.second}",
        " / ".join(map(tables.interval, scores)) if scores else "",
        f"{claim.value:.3f}",
        f"{claim.p_corrected:.4f} (x{claim.family})" if claim.p_corrected is not None else "",
        f"{compared.cliffs_delta:.3f}" if compared else "",
        f"{compared.cohens_d:.3f}" if compared else "",
        "yes" if claim.holds else "no",
    )
