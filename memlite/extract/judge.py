"""Which pieces of a sentence are claims a careful reader would keep.

Every run of up to three neighbouring pieces is a candidate. What its wording, its place and its speaker tell is summed
with weights that were fitted on three quarters of the labelled windows (`benchmarks/records.py --fit`), and the best
set of runs that do not overlap is kept. Runs whose likelihood stays under the threshold are not claims.
"""

from collections.abc import Sequence
from math import exp

from msgspec import Struct

from memlite.extract.weights import WEIGHTS


class Candidate(Struct, frozen=True, gc=False):
    """A run of pieces that may be a claim: which pieces, how it reads, and what speaks for and against it."""

    first: int
    last: int
    content: str
    signs: tuple[str, ...]

    @property
    def likelihood(self) -> float:
        """How likely it is kept, 0 to 1."""
        return 1 / (1 + exp(-sum([WEIGHTS.get(sign, 0.0) for sign in self.signs])))


def choose(candidates: Sequence[Candidate], threshold: float) -> list[tuple[Candidate, float]]:
    """The best set of candidates of one sentence that share no piece, in order, with their likelihoods."""
    best: dict[int, tuple[float, list[tuple[Candidate, float]]]] = {-1: (0.0, [])}
    total = max((one.last for one in candidates), default=-1)
    for end in range(total + 1):
        best[end] = best[end - 1]
        for one in candidates:
            if one.last == end:
                likelihood = one.likelihood
                gain = best[one.first - 1][0] + likelihood - threshold
                if likelihood >= threshold and gain > best[end][0]:
                    best[end] = gain, [*best[one.first - 1][1], (one, likelihood)]
    return best[total][1]
