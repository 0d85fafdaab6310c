"""Tests of memlite.distill.files."""

import json

import pytest

from memlite.distill.files import MAX_FILES, files_touched
from memlite.types.palace import Exchange, Turn
from memlite.types.transcript import ToolUse


def touched(text: str = "", *tools: tuple[str, object], cwd: str = "") -> list[tuple[str, str]]:
    calls = tuple(
        ToolUse(name, str(i), given if isinstance(given, str) else json.dumps(given))
        for i, (name, given) in enumerate(tools)
    )
    exchange = Exchange((Turn("user", text),), calls, cwd=cwd)
    return [(file.path, file.action) for file in files_touched(exchange, [text])]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("Read", {"file_path": "/a/b.py"}, ("/a/b.py", "read")),
        ("Edit", {"file_path": "/a/b.py", "old_string": "x"}, ("/a/b.py", "modified")),
        ("MultiEdit", {"file_path": "/a/b.py"}, ("/a/b.py", "modified")),
        ("NotebookEdit", {"notebook_path": "/a/b.ipynb"}, ("/a/b.ipynb", "modified")),
        ("Write", {"file_path": "/a/b.py"}, ("/a/b.py", "created")),
        ("write_file", {"absolute_path": "/a/b"}, ("/a/b", "created")),
        ("Grep", {"path": "src/b.py", "pattern": "x"}, ("src/b.py", "referenced")),
        ("Bash", {"command": "rm -f old.py && ls"}, ("old.py", "deleted")),
        ("Bash", {"command": "git rm old.py"}, ("old.py", "deleted")),
        ("Bash", {"command": "echo hi > out/notes.txt"}, ("out/notes.txt", "created")),
        ("Bash", {"command": "touch new.py"}, ("new.py", "created")),
        ("Bash", {"command": "pytest tests/test_a.py"}, ("tests/test_a.py", "referenced")),
        ("shell", {"command": ["bash", "-lc", "rm a.txt"]}, ("a.txt", "deleted")),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: src/n.py\n+x"}, ("src/n.py", "created")),
        ("apply_patch", "*** Update File: src/n.py\n", ("src/n.py", "modified")),
        ("apply_patch", "*** Delete File: src/n.py\n", ("src/n.py", "deleted")),
    ],
)
def test_action_of_a_call(name: str, given: object, expected: tuple[str, str]) -> None:
    assert touched("", (name, given)) == [expected]


def test_talk_alone_is_discussed() -> None:
    assert touched("look at views.py") == [("views.py", "discussed")]


def test_talk_about_a_file_that_a_tool_touched_is_the_same_file() -> None:
    given = {"file_path": "/p/src/views.py"}
    assert touched("look at views.py and src/views.py", ("Edit", given), cwd="/p") == [("src/views.py", "modified")]


def test_the_strongest_action_wins() -> None:
    given = {"file_path": "a.py"}
    assert touched("", ("Read", given), ("Edit", given), ("Read", given)) == [("a.py", "modified")]


def test_most_important_first_and_capped() -> None:
    calls = [("Read", {"file_path": f"f{i}.py"}) for i in range(MAX_FILES + 5)]
    found = touched("notes.md", *calls, ("Write", {"file_path": "made.py"}))
    assert len(found) == MAX_FILES
    assert found[0] == ("made.py", "created")
    assert ("notes.md", "discussed") not in found


def test_a_folder_is_no_file() -> None:
    assert touched("", ("LS", {"path": "/home/ana"})) == []


@pytest.mark.parametrize("given", ["", "not json {", "[1, 2]", '{"file_path": 3}', '{"command": [1]}', "\ud800"])
def test_odd_arguments_are_no_error(given: str) -> None:
    assert touched("", ("Bash", given)) == []
