"""A short torture of a scratch store beside the real one: does this disk keep what it said it had written?

Processes write as fast as they can and say what has been acknowledged; some are killed at any moment. Then everything
that was acknowledged must be there, and the file must agree with itself.
"""

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from memlite.memory import files
from memlite.segment import Rules
from memlite.store import examine, overview, raw
from memlite.store.connection import Store
from memlite.types.findings import Finding

WRITERS = 4
SECONDS = 5.0
BETWEEN_KILLS = 0.4
BUSY_TIMEOUT_MS = 30_000
# Without -P a folder that happens to hold a module of ours by name would be asked first.
WRITER = (sys.executable, "-P", "-c", "from memlite.memory.selftest import write; write()")


def torture(path: Path, seconds: float = SECONDS) -> list[Finding]:
    """Run writers on a scratch file in the folder of `path` for some seconds, and kill some of them."""
    with TemporaryDirectory(dir=path.absolute().parent, prefix="memlite-selftest-") as folder:
        scratch = Path(folder, "scratch.db")
        Store(scratch).close()
        acknowledged, kills = _run(scratch, seconds)
        with raw.opened(scratch, "", BUSY_TIMEOUT_MS) as con:
            stored = overview.count(con)["messages"]
            missing = examine.missing_messages(con, acknowledged)
            faults = [found for found in examine.examine(con) if found.severity in ("warning", "error")]
    what = f"{len(acknowledged):,} writes acknowledged to {WRITERS} processes, {kills} of them killed"
    if missing:
        message = f"{what}: {missing:,} writes are lost. This disk does not keep what it says it has written"
        faults.append(Finding("selftest", "error", message, "Keep the store on another disk"))
    if not faults:
        return [Finding("selftest", "ok", f"{what}: all there ({stored:,} messages), every index sound")]
    return faults


def _run(scratch: Path, seconds: float) -> tuple[list[int], int]:
    """Return the ids of the messages that were acknowledged, and how many writers were killed."""
    chance = random.Random(0)
    running = [_start(scratch, number) for number in range(WRITERS)]
    ended: list[subprocess.Popen[bytes]] = []
    end = time.monotonic() + seconds
    started = WRITERS
    while time.monotonic() < end:
        time.sleep(BETWEEN_KILLS)
        victim = running.pop(chance.randrange(WRITERS))
        victim.kill()
        ended.append(victim)
        running.append(_start(scratch, started))
        started += 1
    for process in running:
        process.kill()
    for process in (*ended, *running):
        process.wait()
    return _acknowledged(scratch.parent), len(ended)


def _start(scratch: Path, number: int) -> "subprocess.Popen[bytes]":
    # The acknowledgements go into a file: a pipe that nobody reads would stop the writer.
    with scratch.with_name(f"{number}.ids").open("wb") as ids:
        return subprocess.Popen([*WRITER, str(scratch), str(number)], stdin=subprocess.DEVNULL, stdout=ids)


def _acknowledged(folder: Path) -> list[int]:
    """Return the ids in the writers' files; the last line of a writer that was killed may lack its end."""
    lines = (line for file in folder.glob("*.ids") for line in file.read_bytes().splitlines(keepends=True))
    return [int(line) for line in lines if line.endswith(b"\n")]


def write() -> None:
    """Write messages until killed, one transaction each, and say the id of each that is stored; the writer's part."""
    scratch, number = Path(sys.argv[1]), sys.argv[2]
    store = Store(scratch, create=False, busy_timeout_ms=BUSY_TIMEOUT_MS)
    for count in range(sys.maxsize):
        said = [{"role": "user", "content": f"writer {number} says its line {count}", "id": f"{number}-{count}"}]
        done = files.add_messages(store, Rules(), said, conversation=f"writer {number}", project="", title="")
        os.write(1, b"".join(b"%d\n" % id for id in done.message_ids))
