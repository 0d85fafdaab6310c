"""How much of the words of an exchange an object keeps."""

import pytest

from memlite.distill.survival import asked_survival, survival
from memlite.types.palace import Exchange, Turn


def test_the_rarest_words_are_the_ones_that_count():
    rare = [f"zyx{letter}q" for letter in "abcdefghijklmno"]
    text = "the and of it was " + " ".join(rare)
    assert survival(text, " ".join(rare)) == 1.0
    assert survival(text, " ".join(rare[:6]).upper()) == 6 / 15
    assert survival(text, "the and of it was") == 0.0


def test_a_short_exchange_counts_all_its_words():
    assert survival("the pool hangs", "pool") == pytest.approx(1 / 3)
    assert survival("", "anything") == 1.0


def asked(*turns, style="assistant"):
    return Exchange(tuple(Turn(role, content, speaker) for role, content, speaker in turns), style=style)


def test_only_what_the_user_asked_counts():
    exchange = asked(
        ("user", "Why do the queries hang?", ""),
        ("assistant", "A lock on warehouses.", ""),
        ("user", "fix the lock", ""),
    )
    assert asked_survival(exchange, "query hang") == pytest.approx(2 / 4)  # query, hang, fix, lock
    assert asked_survival(exchange, "warehouses") == 0.0
    assert asked_survival(exchange, "Queries hang, lock fix") == 1.0


def test_between_people_the_one_who_opens_asks():
    exchange = asked(
        ("assistant", " ", "Bo"),
        ("assistant", "Dahlias got eaten", "Bram"),
        ("user", "Copper tape helps", "Ottilie"),
        ("assistant", "Slugs everywhere", "Bram"),
        style="peers",
    )
    assert asked_survival(exchange, "dahlias eaten slug everywhere got") == 1.0
    assert asked_survival(exchange, "copper tape helps") == 0.0


def test_injected_text_was_not_asked_and_nothing_asked_is_all_kept():
    reminder = "<system-reminder>zanzibar</system-reminder>"
    assert asked_survival(asked(("user", reminder + "pool", "")), "pool") == 1.0
    assert asked_survival(asked(("user", reminder, "")), "") == 1.0
    assert asked_survival(Exchange(()), "x") == 1.0
