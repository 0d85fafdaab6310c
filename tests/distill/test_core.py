"""Tests of memlite.distill.core."""

import pytest

from memlite.distill.core import choose, cut, render, subject, weigh
from memlite.text.clauses import to_clauses
from memlite.text.phrases import trimmed
from memlite.text.talk import names


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
        (
            "Now that the ruff hooks are off, I will fix it by hand.",
            "Now that the ruff hooks are off, I will fix it by hand.",
        ),
        ("So that nobody waits, the lock goes first.", "So that nobody waits, the lock goes first."),
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thanks, Melanie! A friend made it for my birthday", "A friend made it for my birthday"),
        ("Woah, Caroline, the parade was on Friday", "the parade was on Friday"),
        ("That's gorgeous, Caroline!", ""),
        ("Congrats Caroline!", ""),
        ("Yep, Mel!", ""),
        ("Melanie signed up for pottery", "Melanie signed up for pottery"),
        ("I painted it for Caroline", "I painted it for Caroline"),
        ("Caroline's grandma lives in Sweden", "Caroline's grandma lives in Sweden"),
    ],
)
def test_a_name_that_is_called_goes_and_one_that_is_spoken_of_stays(text: str, expected: str) -> None:
    assert trimmed(text, names(["Melanie", "Caroline"])) == expected


def test_a_greeting_with_a_name_is_no_content() -> None:
    assert trimmed("Hi Zofia, the invoice is 42 euros") == "the invoice is 42 euros"
    assert trimmed("Thanks, Mell!") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the fix is in, lol", "the fix is in"),
        ("a little htmx covers all of that:", "a little htmx covers all of that"),
        ("I asked what he is paying for", "I asked what he is paying"),
        ("I asked what he is paying for.", "I asked what he is paying for."),
    ],
)
def test_the_back_of_a_clause(text: str, expected: str) -> None:
    assert trimmed(text) == expected


def test_a_decision_is_kept() -> None:
    made = core(
        "exactly that line is in my log, lol. so... do we need it?",
        "Honestly: for two things, and neither earns its keep. So my advice has changed: drop Redis. "
        "The mailer takes unsent rows in order.",
    )
    assert "my advice has changed: drop Redis" in made
    assert "in my log" not in made


def test_a_turn_that_only_praises_gets_no_room() -> None:
    made = core(
        "This necklace is a gift from my grandma in my home country, Sweden.",
        "That's gorgeous! You're amazing!",
        peers=True,
    )
    assert made == "A: This necklace is a gift from my grandma in my home country, Sweden."


def test_a_sentence_between_people_reads_as_it_stood() -> None:
    made = core("This necklace is special to me - a gift from my grandma", peers=True)
    assert made == "A: This necklace is special to me - a gift from my grandma"


def test_no_space_after_a_wide_mark() -> None:
    assert "，他上次" in core("别给他带阿胶了，他上次吃了上火流鼻血。", peers=True)
