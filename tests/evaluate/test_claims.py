"""The claims are told as figures have it, on figures that are made so that they hold, and so that they do not."""

import pytest

from memlite.evaluate import claims
from memlite.types.evaluation import Outcome


def found(rank_by_plan, questions=30):
    """Outcomes of plans that always have the answer at this rank (0: never)."""
    return {
        plan: [
            Outcome("c", str(n), "", plan, (0,) * (rank - 1) + (3,) if rank else (), (), 1, (3,))
            for n in range(questions)
        ]
        for plan, rank in rank_by_plan.items()
    }


HOLDING = {
    "auto": 1,
    "cross": 1,
    "V:bm25": 2,
    "V:dense": 3,
    "D:dense": 2,
    "D[core]:bm25": 4,
    "D[core+files]:bm25": 5,
    "V:bm25+D:dense/rrf": 1,
    "V:bm25+D[core+files]:bm25/rrf": 2,
}


def told(plans, tokens=(1100, 100)):
    return claims.examine(found(plans), tokens)


def test_claims_that_hold():
    examined = told(HOLDING)
    assert all(claim.holds for claim in examined)
    assert [(claim.first, claim.second) for claim in examined] == [
        ("D:dense", "V:bm25"),
        ("D:dense", "V:dense"),
        ("D[core]:bm25", "V:bm25"),
        ("D[core+files]:bm25", "V:bm25"),
        ("V:bm25+D:dense/rrf", "V:bm25"),
        ("cross", "V:bm25"),
        ("auto", "V:bm25"),
        ("verbatim", "distilled"),
    ]
    assert examined[0].value == pytest.approx(1.0)
    assert examined[1].value == pytest.approx(1.5)
    assert examined[4].value == pytest.approx(0.5)
    assert examined[-1].value == pytest.approx(11)


def test_p_is_corrected_for_the_family():
    examined = told(HOLDING)
    words, across = examined[2], examined[4]
    assert (words.family, across.family) == (2, 2)
    assert words.p_corrected == pytest.approx(2 * words.comparison.p)


def test_claims_that_do_not_hold():
    plans = HOLDING | {"D:dense": 4, "D[core]:bm25": 2, "V:bm25+D:dense/rrf": 3, "cross": 3}
    examined = told(plans, tokens=(1000, 100))
    assert [claim.holds for claim in examined] == [False, False, False, True, False, False, True, False]


def test_a_loss_on_few_questions_is_not_significant():
    few = claims.examine(found(HOLDING, questions=2), (1100, 100))
    assert few[2].value < 0
    assert not few[2].holds


def test_plans_are_told_apart_by_their_routes():
    assert claims.is_pure("D[core+files]:bm25")
    assert not claims.is_pure("V:bm25+D:dense/rrf")
    assert not claims.is_pure("auto")
    assert claims.is_crossed("V:bm25+D[all]:bm25/rrf")
    assert not claims.is_crossed("D[core+files]:bm25+D:dense/rrf")


def test_cells_fit_the_head():
    assert {len(claims.cells(claim)) for claim in told(HOLDING)} == {len(claims.HEAD)}
