import io

import click
import pytest

from memlite.cli import output


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[2Jgone", "\ufffd[2Jgone"),
        ("bell\x07 \x9b31m", "bell\ufffd \ufffd31m"),
        ("line\r\nend\rover", "line\nend\ufffdover"),
        ("abc\u202edcba", "abc\ufffddcba"),
    ],
)
def test_text_cannot_steer_the_terminal(text, shown):
    assert output.printable(text) == shown


def test_a_block_is_wrapped_only_where_a_width_is_known():
    text = "one two three four five six seven eight nine ten eleven"
    assert output.block(text) == f"    {text}"
    wrapped = output.block(text, width=30).split("\n")
    assert len(wrapped) > 1
    assert all(len(line) <= 30 and line.startswith("    ") for line in wrapped)
    assert " ".join(line.strip() for line in wrapped) == text


@pytest.mark.parametrize(
    ("words", "bold"),
    [
        (["pool"], ["pool", "Pooling"]),
        ([], []),
        (["C++"], ["C++"]),
        (["arpool", "pool"], ["carpool"][:0] + ["pool", "Pooling"]),
    ],
)
def test_words_and_what_begins_with_them_are_bold(words, bold):
    text = "pool, Pooling, carpool, C++"
    shown = output.highlight(text, words)
    assert click.unstyle(shown) == text
    assert [part.split("\x1b")[0] for part in shown.split("\x1b[1m")[1:]] == bold


def test_counts_and_reasons():
    assert output.counted(1, "record") == "1 record"
    assert output.counted(2000, "record") == "2,000 records"
    assert output.reasons({"few": 1, "many\x1b": 3}) == "3 many\ufffd, 1 few"


def test_an_instant_is_shown_in_the_machines_zone(monkeypatch):
    assert output.local(None) == "time unknown"
    assert output.local("2026-05-03T10:00:00.000Z", "%z") in output.local("2026-05-03T10:00:00.000Z", "%H:%M %z")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_bars_are_for_a_terminal_only(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with output.progress() as bars:
        assert bars is None
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with output.progress() as bars:
        for done in (1, 2):
            bars("distill", done, 2)
        bars("embed", 1, 4)
    shown = screen.getvalue()
    assert "distill" in shown
    assert "100%" in shown
    assert "25%" in shown
    assert shown.count("\n") == 2  # each bar leaves its line


@pytest.mark.parametrize(
    ("count", "seconds", "shown"),
    [
        (0, 5.0, ""),
        (3, 0.0, ""),
        (3, 90.0, "2/min"),
        (90, 10.0, "540/min"),
        (100, 10.0, "10/s"),
        (9_000, 3.0, "3,000/s"),
    ],
)
def test_a_rate_is_told_by_the_second_or_the_minute(count, seconds, shown):
    assert output.rate(count, seconds) == shown
