"""What the README shows is what happens."""

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memlite.cli import COMMANDS
from memlite.importers import FORMATS
from memlite.retrieve.plans import PLANS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", blocks("python"))
def test_python_examples_run(block, tmp_path):
    expected = re.findall(r"# prints: (.+)", block)
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert expected, "an example shows what it prints"
    for line in expected:
        assert line in done.stdout


def needs_model(block):
    return [pytest.mark.model] if "gguf" in block else []


@pytest.mark.parametrize(
    "block", [pytest.param(block, marks=needs_model(block)) for block in blocks("console") if "venv" not in block]
)
def test_shell_examples_print_what_is_shown(block, tmp_path):
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = example.strip().splitlines()
        assert command.startswith("memlite ")
        script = command.replace("memlite ", f"{sys.executable} -m memlite --db {tmp_path}/memory.db ", 1)
        done = subprocess.run(script, shell=True, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        printed = done.stdout + done.stderr
        for line in shown:
            if line.strip() != "…":
                assert line.strip() in printed, f"{command} no longer prints {line!r}:\n{printed}"


def test_every_command_format_and_mode_is_told_and_no_other():
    assert set(re.findall(r"^\| `memlite ([a-z]+)", README, re.MULTILINE)) == {entry.name for entry in COMMANDS}
    for form in FORMATS:
        assert f"`{form.source}`" in README
    for mode in PLANS:
        assert f"`{mode}`" in README


def test_the_map_of_the_code_names_every_layer():
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    layers = config["importlinter:contract:layers"]["layers"].split()
    for name in {name for name in layers if name not in ("|", "__main__")}:
        assert f"{name}" in README


def test_ci_runs_the_test_command_of_the_readme():
    commands = re.findall(r"^\$ (.*pytest)$", README, re.MULTILINE)
    assert len(commands) == 1
    script = (ROOT / ".ci" / "run").read_text()
    assert "README.md" in script
    assert "exec bash -c" in script
