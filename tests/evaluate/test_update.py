"""Precision and recall per decision, held against counts made by hand."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from memlite.cli.evaluate_update import update
from memlite.errors import UsageError
from memlite.evaluate.update import LABELS, Pair, Side, measure, read_pairs


def a_pair(old, new, gold, trap=False):
    return Pair(Side(old, "fact"), Side(new, "fact"), gold, "by hand", "tools", "coding", "en", trap)


def test_shares_are_those_counted_by_hand():
    found = measure(
        [
            a_pair("The API timeout is 30 seconds.", "The API timeout is 60 seconds.", "supersede"),
            # A wrong label on purpose: the rules supersede, the person would keep.
            a_pair("The API timeout is 20 seconds.", "The API timeout is 40 seconds.", "keep", trap=True),
            a_pair("The user uses vim.", "The user no longer uses vim.", "retract"),
            a_pair("PR #77 is merged.", "PR #78 is merged.", "keep", trap=True),
        ]
    )
    scores = {score.label: (score.gold, score.decided, score.right) for score in found.scores}
    assert scores == {"merge": (0, 0, 0), "supersede": (1, 2, 1), "retract": (1, 1, 1), "keep": (2, 1, 1)}
    shares = {score.label: (score.precision, score.recall) for score in found.scores}
    assert shares == {"merge": (None, None), "supersede": (0.5, 1.0), "retract": (1.0, 1.0), "keep": (1.0, 0.5)}
    assert found.confusion["keep"] == {"merge": 0, "supersede": 1, "retract": 0, "keep": 1}
    assert (found.pairs, found.right, found.traps, found.traps_kept) == (4, 3, 2, 1)
    assert [miss.old for miss in found.misses] == ["The API timeout is 20 seconds."]


def test_a_line_that_is_no_pair_is_named(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('\n{"old": 3}\n')
    with pytest.raises(UsageError, match="line 2"):
        read_pairs(path)


def test_a_file_without_pairs_or_none_at_all_is_refused(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="no pair"):
        read_pairs(tmp_path / "empty.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        read_pairs(tmp_path / "missing.jsonl")


def test_the_labelled_halves_are_apart_and_as_mixed_as_they_say():
    folder = Path(__file__).parents[1] / "data" / "update"
    halves = [read_pairs(folder / name) for name in ("develop.jsonl", "heldback.jsonl")]
    told = [{(pair.old.content, pair.new.content) for pair in half} for half in halves]
    assert not told[0] & told[1]
    assert sum(map(len, told)) == sum(map(len, halves)) == 241
    for half in halves:
        assert {pair.gold for pair in half} == set(LABELS)
        assert all(pair.trap == (pair.gold == "keep") for pair in half)
        assert sum(pair.trap for pair in half) / len(half) > 0.48
        assert sum(pair.language != "en" for pair in half) / len(half) >= 0.2
        assert {pair.talk for pair in half} == {"everyday", "coding"}
        assert all(pair.old.keywords or pair.new.keywords for pair in half)


def test_the_command_prints_the_table_and_the_same_as_json(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(
        msgspec.json.encode(a_pair("The user uses vim.", "The user no longer uses vim.", "keep", trap=True))
    )
    shown = CliRunner().invoke(update, [str(path), "--misses"])
    assert shown.exit_code == 0, shown.output
    assert "0 of 1 trap kept apart" in shown.output
    assert "keep, decided as retract" in shown.output
    told = msgspec.json.decode(CliRunner().invoke(update, [str(path), "--json"]).output)
    assert told["schema_version"] == 1
    assert told["confusion"]["keep"]["retract"] == 1
