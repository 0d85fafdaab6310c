"""Tests of memlite.text.talk."""

import pytest

from memlite.text.talk import calls, is_called, is_warm, names


def test_short_forms_are_names_and_words_are_not() -> None:
    called = names(["Melanie Jones", "Theodora"])
    assert {"Melanie", "Mel", "Jones", "Theodora", "Theo"} <= set(called)
    assert "The" not in called


def test_no_speaker_no_call() -> None:
    assert calls(names(["", "user"])) is None


def test_a_possessive_is_a_name_too() -> None:
    assert is_called("Melanie's", names(["Melanie"]))
    assert not is_called("Melbourne", names(["Melanie"]))


@pytest.mark.parametrize(("word", "warm"), [("Awesome", True), ("congrats", True), ("necklace", False)])
def test_warm_words(word: str, warm: bool) -> None:
    assert is_warm(word) is warm
