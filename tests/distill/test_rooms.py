"""Tests of memlite.distill.rooms."""

import os
import subprocess
import sys

from memlite.distill.core import subject
from memlite.distill.rooms import rooms_for
from memlite.text.clauses import to_clauses
from memlite.types.palace import FileTouched, Room


def rooms(content: str, *files: FileTouched) -> tuple[Room, ...]:
    found = to_clauses([content])
    return rooms_for(found, [], files, subject(found, [(True, content)], peers=False))


def keys(content: str, *files: FileTouched) -> list[tuple[str, str]]:
    return [(room.type, room.key) for room in rooms(content, *files)]


def test_the_same_topic_gets_the_same_key() -> None:
    one = keys("The prefetch_related call. I like prefetch_related.")
    other = keys("prefetch-related is quick. Use prefetch-related.")
    assert one[0] == other[0] == ("concept", "prefetch-related")


def test_a_changed_file_comes_first_and_a_common_name_has_its_folder() -> None:
    made = rooms("Rewrite the shipment list", FileTouched("src/shipments/views.py", "modified"))
    assert (made[0].type, made[0].key, made[0].label) == ("file", "shipment-view-py", "shipments/views.py")
    assert made[0].relevance == 1.0


def test_a_kind_of_work_needs_two_mentions() -> None:
    assert ("workflow", "deployment") in keys("We deploy on Friday. The deployment takes an hour.")
    assert all(kind != "workflow" for kind, _ in keys("We deploy on Friday. It takes an hour."))


def test_one_to_three_and_no_word_in_two_topics() -> None:
    made = rooms("The camera lens broke. Camera repair costs 40. Camera lens shop, tripod, filter, flash")
    assert 1 <= len(made) <= 3
    parts = [part for room in made for part in room.key.split("-")]
    assert len(parts) == len(set(parts))


def test_scripts_without_spaces() -> None:
    made = [key for _, key in keys("会議は金曜日です。会議の資料はデータベースにあります。")]
    assert "会議" in made


def test_a_number_with_a_letter_is_no_topic() -> None:
    assert all(key not in ("9th", "15h", "p95") for _, key in keys("9th 9th 15h 15h p95 p95 p95 budget"))


def test_plain_talk_has_a_room_too() -> None:
    assert len(rooms("so it is what it was")) == 1


def test_no_word_no_room() -> None:
    assert rooms("!!!") == ()


def test_speakers_and_praise_are_no_topic() -> None:
    content = "Wow Melanie, awesome! Thanks Melanie, awesome pottery class, Melanie"
    found = to_clauses([content])
    about = subject(found, [(True, content)], peers=True, speakers=["Melanie", "Caroline"])
    assert [room.key for room in rooms_for(found, [], [], about)] == ["pottery"]


def test_of_two_kinds_of_work_the_first_said_wins_in_every_process() -> None:
    both = "Commit the migration of the config. Git commit the migration to main."
    ask = (
        "from tests.distill.test_rooms import keys; import sys;"
        f"sys.stdout.write(repr([key for kind, key in keys({both!r}) if kind == 'workflow']))"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", ask], env=os.environ | {"PYTHONHASHSEED": str(seed)}, capture_output=True, check=True
        ).stdout
        for seed in range(6)
    }
    assert len(answers) == 1
    assert answers != {b"[]"}
