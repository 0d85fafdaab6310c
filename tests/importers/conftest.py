from collections import Counter
from pathlib import Path

import pytest

from memlite.types.transcript import DroppedBlock, Entry, Skip

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def edge():
    return ROOT / "tests" / "data" / "claude_code"


@pytest.fixture(scope="session")
def shared():
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the real inputs are not at {folder}")
    return folder


@pytest.fixture(scope="session")
def tally():
    """Count the fates: stored messages by role, skips by reason with `!` for an issue, dropped blocks by kind."""

    def name(item):
        if isinstance(item, Entry):
            return item.message.role
        if isinstance(item, Skip):
            return f"{item.reason} !" if item.issue else item.reason
        assert isinstance(item, DroppedBlock)
        return f"dropped {item.kind}"

    return lambda items: dict(Counter(map(name, items)))


@pytest.fixture(scope="session")
def entries():
    return lambda items: [item for item in items if isinstance(item, Entry)]
