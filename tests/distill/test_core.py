"""Tests of memlite.distill.core."""

import pytest

from memlite.distill.clauses import to_clauses
from memlite.distill.core import choose, cut, render, subject, trimmed, weigh


def core(*contents: str, budget: int = 30, peers: bool = False) -> str:
    found = to_clauses(contents)
    about = subject(found, [(i % 2 == 0, content) for i, content in enumerate(contents)], peers=peers)
    labels = [f"{'AB'[i % 2]}: " if peers else "" for i in range(len(contents))]
    return render(choose(weigh(found, about), budget), labels, budget)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ok so use the cache", "use the cache"),
        ("Great question! The cache is cold", "The cache is cold"),
        ("Could you please add a test", "add a test"),
        ("thanks!", ""),
        ("Ok, perfect, thank you so much!", ""),
        ("谢谢", ""),
        ("Obrigado!", ""),
        ("it failed because", "it failed"),
        ("no", ""),
        ("Sofia arrives", "Sofia arrives"),
    ],
)
def test_trimmed(text: str, expected: str) -> None:
    assert trimmed(text) == expected


def test_what_is_said_twice_is_kept_once() -> None:
    made = core(
        "The nightly export fails with ENOSPC.", "The nightly export fails with ENOSPC. The disk of ops-2 is full."
    )
    assert made.count("ENOSPC") == 1
    assert "disk of ops-2" in made


def test_an_answer_beats_an_offer_and_a_question() -> None:
    made = core(
        "Which region code do old orders get?",
        "Let me check the warehouse table for you. Old orders get GBR. Would you like me to write the migration?",
        budget=14,
    )
    assert "Old orders get GBR" in made
    assert "Would you like" not in made
    assert "Let me check" not in made


def test_what_a_person_proposes_is_no_announcement() -> None:
    assert "explore the root cause" in core("Let's explore the root cause of the flaky login", "Sure, happy to help!")


def test_parts_of_two_speakers_are_two_sentences() -> None:
    assert core("Kavya has a cashew allergy", "Meena drives the Corolla on Friday", peers=True) == (
        "A: Kavya has a cashew allergy. B: Meena drives the Corolla on Friday"
    )


def test_a_sentence_over_budget_is_cut_at_a_word() -> None:
    made = core("zebra " * 100, budget=10)
    assert made
    assert set(made.split()) == {"zebra"}
    assert len(made.split()) < 20


def test_cut() -> None:
    assert cut("one two three", 9) == "one two"
    assert cut("onetwothree", 5) == "onetw"
    assert cut("short", 9) == "short"
