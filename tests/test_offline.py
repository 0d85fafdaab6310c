"""Nothing leaves the machine: no module can open a socket, and the model runtime's reporting is switched off."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "memlite").rglob("*.py"))
NETWORK = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "requests", "httpx", "aiohttp", "websockets"}
NO_SOCKETS = """
import socket, sys

def refuse(*args, **options):
    raise AssertionError("a socket was opened")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
sys.argv = ["memlite", "demo"]
from memlite.cli import main
main()
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_imports_a_network_library(path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {name.split(".")[0] for name in names} & NETWORK


def test_the_whole_demo_runs_without_sockets_and_leaves_no_trace_of_reporting(tmp_path):
    """onnxruntime's official builds report home from native code; at its first step it writes `.ses` to TMPDIR."""
    away = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "MEMLITE_"))}
    done = subprocess.run(
        [sys.executable, "-c", NO_SOCKETS], env={**environment, **away}, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "memlite search" in done.stdout
    left = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert left <= {"cache"}
    assert not any("microsoft" in path.name.casefold() for path in tmp_path.rglob("*"))
