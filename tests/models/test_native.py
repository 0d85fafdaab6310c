"""The log of native code is kept, and leaves stdout and stderr to the caller."""

import json
import subprocess
import sys

import pytest

from memlite.models.native import KEPT_LINES, NativeLog, shown
from tests.models.gguf_files import SMOLLM2, needs_smollm2

LOADING = """
import json, os, sys, threading
from memlite.models.native import native_log

log = native_log()
import llama_cpp

stop = threading.Event()
def talk():
    n = 0
    while not stop.is_set():
        os.write(1, b"%d\\n" % n)
        n += 1
        stop.wait(0.001)

talker = threading.Thread(target=talk)
talker.start()
model = llama_cpp.Llama(sys.argv[1], n_ctx=128, n_threads=1, verbose=False)
stop.set()
talker.join()
try:
    llama_cpp.Llama(__file__, n_ctx=128, verbose=False)
except ValueError:
    pass
os.write(1, json.dumps(log.last()).encode())
"""


def test_pieces_become_lines_and_the_last_lines_are_kept():
    log = NativeLog()
    for piece in ("loa", "ding\n", "....", "..\n", "\n", "one\ntwo\nthr"):
        log.add(piece)
    assert log.last() == ["loading", "one", "two"]
    assert log.last(1) == ["two"]
    log.add("ee\n" * 30)
    assert log.last() == ["ee"] * KEPT_LINES


def test_a_message_is_one_line_that_steers_no_terminal():
    assert shown([" one ", "\x1b[31mtwo\r"]) == "one | \ufffd[31mtwo"


@needs_smollm2
@pytest.mark.model
def test_a_model_loads_without_a_word_and_without_swallowing_what_others_print(tmp_path):
    script = tmp_path / "load.py"
    script.write_text(LOADING)
    code = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); import runpy; runpy.run_path(sys.argv.pop(1))"
    code = f"import sys; sys.argv[0] = '-'; {code}"
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(sys.path), script, SMOLLM2], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    *numbers, log = done.stdout.splitlines()
    assert numbers == [str(n) for n in range(len(numbers))]
    assert len(numbers) > 20
    assert "failed to load model" in log
