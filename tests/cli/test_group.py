"""Loading late, suggesting names, and errors as one line with their exit code."""

import subprocess
import sys

import click
import pytest

from memlite import errors
from memlite.cli import COMMANDS, command
from memlite.cli.group import Entry, LazyGroup


def load(name):
    ctx = click.Context(command)
    return command.resolve_command(ctx, [name])[1]


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_the_table_says_what_the_command_says(entry):
    loaded = load(entry.name)
    assert loaded.name == entry.name
    assert loaded.get_short_help_str(limit=200) == entry.help


def test_help_loads_no_command():
    code = (
        "import sys, memlite.cli as cli\n"
        "sys.argv = ['memlite', '--help']\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "print(*[name for name in sys.modules if name.startswith('memlite.cli.')], sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shown, _, loaded = done.stdout.rpartition("\n\n")
    assert "Find the exchanges" in shown
    assert [line for line in done.stdout.splitlines() if line.startswith("memlite.cli.")] == ["memlite.cli.group"]


def test_the_command_alone_prints_help(run):
    shown = run().stdout
    assert shown == run("--help").stdout == run("-h").stdout
    assert all(entry.help in shown for entry in COMMANDS)


def test_the_version(run):
    assert run("--version").stdout == "memlite 0.1.0\n"


def test_near_names_are_suggested(run):
    assert "Did you mean 'distill'?" in run("distil", code=2).stderr
    assert "--project" in run("search", "x", "--projct", "y", code=2).stderr


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.MemliteError)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_is_one_line_and_its_exit_code(kind, run, monkeypatch):
    def fail(*_, **__):
        raise kind("the thing, the cause, the next step")

    monkeypatch.setattr("memlite.cli.keep.open_memory", fail)
    result = run("status", code=kind.exit_code)
    assert result.stderr == "Error: the thing, the cause, the next step\n"
    assert result.stdout == ""


def test_an_error_that_is_a_bug_is_not_hidden():
    group = LazyGroup("g", entries=[Entry("go", f"{__name__}:go", "Go.")])
    with pytest.raises(ZeroDivisionError):
        group.main(["go"], standalone_mode=False)


@click.command()
def go():
    raise ZeroDivisionError
