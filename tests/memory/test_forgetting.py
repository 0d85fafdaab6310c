"""Forgetting: nothing of what was forgotten is left in any file, and reading it again does not bring it back."""

from pathlib import Path

from memlite.memory import Memory


def test_bytes_are_gone_and_do_not_come_back(tmp_path: Path) -> None:
    """Text and tokens are in the files before and in none after, and adding the same again stores nothing."""
    texts = [{"role": "user", "content": f"The word planted here is zqplant{n}x, and it is meant."} for n in range(20)]

    def left(word: str) -> bool:
        return any(word.encode() in file.read_bytes() for file in tmp_path.iterdir())

    with Memory(tmp_path / "m.db", create=True) as memory:
        memory.add(texts[:10], conversation="goes")
        memory.add(texts[10:], conversation="stays")
        assert left("zqplant3x")
        assert memory.forget(conversation="goes", dry_run=True).messages == 10
        assert left("zqplant3x")
        report = memory.forget(conversation="goes")
        assert (report.messages, report.log_held) == (10, False)
        assert not any(left(f"zqplant{n}x") for n in range(10))
        assert all(left(f"zqplant{n}x") for n in range(10, 20))
        memory.add(texts[:10], conversation="goes")
        assert not any(left(f"zqplant{n}x") for n in range(10))
        memory.add(texts[:10], conversation="goes", allow_reimport=True)
        assert left("zqplant3x")
