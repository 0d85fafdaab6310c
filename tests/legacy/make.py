"""Write the store that later versions must still open: `python -m tests.legacy.make tests/legacy/v1.db.gz`.

Made once for each released schema; a file that is there is never written again.
"""

import gzip
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from memlite.memory import Memory
from tests.embedders import WordEmbedder

USE = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make migration"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "migration 0007 applied"}
# An object that a model elsewhere made better, and one it could not.
BETTER = b"""
{"exchange_id": 1, "exchange_core": "default_pool_size = 20, since five connections timed out.", "model": "by hand"}
{"exchange_id": 2, "exchange_core": "Nobody said this in Reykjavik.", "model": "by hand"}
"""


def make(path: Path) -> None:
    with Memory(path, embedder=WordEmbedder()) as memory:
        memory.add(
            [
                {"role": "user", "content": "Which pool size has pgbouncer in /etc/pgbouncer/pgbouncer.ini?"},
                {
                    "role": "assistant",
                    "content": "default_pool_size = 20, since five connections timed out under load.",
                },
                {"role": "user", "content": "Apply the migration of the users table now, please, and report."},
                {"role": "assistant", "content": [USE]},
                {"role": "user", "content": [RESULT]},
                {"role": "assistant", "content": "Migration 0007 is applied; users.created_at has an index now."},
            ],
            conversation="coding",
            project="app",
        )
        memory.add(
            [
                {
                    "speaker": "Nadia",
                    "content": "用户认证失败，令牌已过期，我们明天上午十点再试一次吧，好吗？请告诉大家。"
                    + "我会把新的令牌发给你们每一个人，也会写进文档里。",
                    "timestamp": "2026-05-03T10:00:00+02:00",
                },
                {"speaker": "Ilias", "content": "好的，十点见，我带上日志。", "timestamp": "2026-05-03T10:01:00+02:00"},
            ],
            conversation="friends",
        )
        memory.add(
            [
                {"role": "user", "content": "<command-name>/clear</command-name>"},
                {"role": "assistant", "content": "The conversation was cleared."},
            ],
            conversation="automated",
        )
        memory.distill()
        memory.import_objects(BytesIO(BETTER))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} is there already, and is what old users have: it must not change")
    with TemporaryDirectory() as folder:
        path = Path(folder, "memory.db")
        make(path)
        target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
