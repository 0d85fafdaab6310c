"""A model is downloaded only when told to, from the hub that is meant, and nothing else is asked of it."""

import hashlib
import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from memlite.errors import ModelUnusable, UsageError
from memlite.models.hub import place, pull, split
from tests.models.gguf_files import write

pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed (extra hub)")

# The library waits longer and longer between six attempts: 24 s without a connection.
PULL = "import sys, time; time.sleep = lambda _: None; from memlite.cli import main; main()"


class Hub(BaseHTTPRequestHandler):
    """As much of a hub as a download needs."""

    def do_HEAD(self):
        self.server.asked.append((self.command, self.path, self.headers.get("User-Agent", "")))
        content = self.server.files.get(self.path)
        if content is None:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", "0123456789abcdef0123456789abcdef01234567")
        self.end_headers()
        return content

    def do_GET(self):
        content = self.do_HEAD()
        if content is not None:
            self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def hub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.files, server.asked = {}, []
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def memlite(hub, tmp_path):
    """Run the command in a process of its own: huggingface_hub reads its settings when it is imported."""

    def run(*args, endpoint=f"http://127.0.0.1:{hub.server_port}"):
        kept = {
            k: v for k, v in os.environ.items() if not k.startswith(("HF_", "MEMLITE_")) and "proxy" not in k.lower()
        }
        away = {"HOME": tmp_path, "XDG_DATA_HOME": tmp_path / "share", "MEMLITE_CACHE": tmp_path / "cache"}
        settings = {"HF_ENDPOINT": endpoint, "HF_HOME": tmp_path / "hf", "PYTHONPATH": os.pathsep.join(sys.path)}
        environment = {**kept, **{name: str(value) for name, value in {**away, **settings}.items()}}
        return subprocess.run(
            [sys.executable, "-c", PULL, "models", *args], env=environment, capture_output=True, text=True
        )

    return run


@pytest.fixture
def served(hub, tmp_path):
    content = write(tmp_path / "served.gguf").read_bytes()
    hub.files["/owner/repo/resolve/main/tiny-Q4_K_M.gguf"] = content
    return content


def test_a_model_is_downloaded_named_and_described(hub, memlite, served, tmp_path):
    done = memlite("pull", "owner/repo/tiny-Q4_K_M.gguf", "--json")
    assert done.returncode == 0, done.stderr
    model = json.loads(done.stdout)["model"]
    assert model["name"] == "tiny-Q4_K_M"
    assert model["path"] == str(tmp_path / "share/memlite/models/owner/repo/tiny-Q4_K_M.gguf")
    assert model["digest"] == f"sha256:{hashlib.sha256(served).hexdigest()}"
    assert {path for _, path, _ in hub.asked} == {"/owner/repo/resolve/main/tiny-Q4_K_M.gguf"}
    listed = json.loads(memlite("list", "--json").stdout)["models"]
    assert "tiny-Q4_K_M" in [row["name"] for row in listed]


def test_what_is_there_is_not_downloaded_again(hub, memlite, served):
    for _ in range(2):
        assert memlite("pull", "owner/repo/tiny-Q4_K_M.gguf", "--name", "tiny").returncode == 0
    assert [verb for verb, *_ in hub.asked].count("GET") == 1


def test_the_digest_is_shown(memlite, served):
    done = memlite("pull", "owner/repo/tiny-Q4_K_M.gguf")
    assert f"sha256:{hashlib.sha256(served).hexdigest()}" in done.stdout


def test_the_user_agent_tells_nothing_of_the_machine_beyond_versions(hub, memlite, served):
    memlite("pull", "owner/repo/tiny-Q4_K_M.gguf")
    assert {part.split("/")[0] for _, _, agent in hub.asked for part in agent.split("; ")} <= {
        "unknown",
        "hf_hub",
        "python",
    }


def test_a_file_in_a_folder(hub, memlite, served):
    hub.files["/owner/repo/resolve/main/q4/part/tiny.gguf"] = served
    done = memlite("pull", "owner/repo/q4/part/tiny.gguf")
    assert done.returncode == 0, done.stderr
    assert "owner/repo/q4/part/tiny.gguf" in done.stdout


def test_a_file_the_hub_does_not_have(memlite, tmp_path):
    done = memlite("pull", "owner/repo/absent.gguf")
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.startswith("getting owner/repo/absent.gguf\nError: cannot get absent.gguf of owner/repo (")
    assert done.stderr.count("\n") == 2
    assert "next:" in done.stderr


def test_without_a_connection_the_error_is_one_line(memlite, tmp_path):
    done = memlite("pull", "owner/repo/tiny-Q4_K_M.gguf", endpoint="http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (6, "")
    assert done.stderr.count("\n") == 2
    assert "Error: cannot get tiny-Q4_K_M.gguf of owner/repo ([Errno 111] Connection refused); next:" in done.stderr


def test_a_file_that_is_no_model_gets_no_name(hub, memlite, tmp_path):
    hub.files["/owner/repo/resolve/main/page.gguf"] = b"<html>"
    done = memlite("pull", "owner/repo/page.gguf")
    assert done.returncode == 6
    assert "expected GGUF, found b'<htm'" in done.stderr
    assert not (tmp_path / "share/memlite/models.json").exists()


def test_a_name_that_is_taken_is_refused_before_the_download(hub, memlite, served, tmp_path):
    other = write(tmp_path / "other.gguf")
    assert memlite("add", "tiny", str(other)).returncode == 0
    done = memlite("pull", "owner/repo/tiny-Q4_K_M.gguf", "--name", "tiny")
    assert done.returncode == 2
    assert hub.asked == []
    assert memlite("pull", "owner/repo/tiny-Q4_K_M.gguf", "--name", "tiny", "--force").returncode == 0


BAD = [
    "",
    "x",
    "a/b",
    "a/b.gguf",
    "a/b/c.txt",
    "a//c.gguf",
    "/b/c.gguf",
    "a/../c.gguf",
    "a/b/../../c.gguf",
    "a/b\\c.gguf",
]


@pytest.mark.parametrize("given", [*BAD, "a/b//c.gguf", "../a/b.gguf", "a/b/", "https://hub/a/b.gguf"])
def test_what_is_no_file_of_a_hub(given):
    with pytest.raises(UsageError, match="Write OWNER/REPO/FILE.gguf"):
        split(given)


def test_repository_and_file():
    assert split("o/r/f.gguf") == ("o/r", "f.gguf")
    assert split("o/r/d/e/f.gguf") == ("o/r", "d/e/f.gguf")
    assert place("o/r/d/f.gguf").parts[-5:] == ("models", "o", "r", "d", "f.gguf")


def test_without_the_library_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelUnusable, match=r"pip install 'memlite\[hub\]'"):
        pull("owner/repo/file.gguf")
