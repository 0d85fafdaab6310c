"""The demo fits one screen, is computed as it runs and leaves nothing behind."""

import os
import re
import subprocess
import sys

from memlite.cli.demo import QUESTIONS
from memlite.memory import Memory
from tests.cli.conftest import SAMPLES


def test_one_screen(tmp_path):
    """A process with the real model, since what it finds is what newcomers see."""
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    path = os.pathsep.join(filter(None, [os.getcwd(), os.environ.get("PYTHONPATH")]))
    variables = {"TMPDIR": str(temporary), "MEMLITE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-m", "memlite", "demo"], cwd=here, env={**os.environ, **variables}, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode()
    lines = shown.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 110
    messages = sum(len(path.read_text().splitlines()) for path in SAMPLES.glob("*.jsonl"))
    assert f"imported   {messages} messages" in shown
    assert re.search(r"[\d,]+ tokens became [\d,]+ \(\d+\.\d times fewer\)", shown)
    for question in QUESTIONS:
        assert f"? {question.text}" in shown
    assert "coriander" in shown or "nuts" in shown
    assert "jinja2.exceptions.TemplateNotFound: 'overview.html'" in shown
    assert "tuesday 12 may, 8:40, dr. Okafor" in shown
    assert len([line for line in lines[-4:] if line.startswith("  memlite ")]) == 3
    assert [*here.iterdir(), *temporary.glob("memlite*")] == []


def test_kept(run, tmp_path):
    path = tmp_path / "kept.db"
    assert f"memlite --db {path} search" in run("demo", "--keep", path).stdout
    with Memory(path, create=False) as memory:
        assert memory.status().objects["extractive"] > 100
    assert "exists already" in run("demo", "--keep", path, code=2).stderr
