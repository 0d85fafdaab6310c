"""A small store that several tests ask, and objects made by hand."""

import re

import pytest

from memlite.store import palace
from memlite.types.palace import FileTouched, PalaceObject, Room
from tests.generators import an_object


@pytest.fixture
def pool(memory, talk):
    """Three exchanges about pools in two projects, one about something else."""
    memory.add(
        talk(
            "Why does the connection pool time out?",
            "The pool-size was 5; don't go under 20 on 2026-03-01.",
            "Did we drop Redis for the cross-layer cache?",
            "Yes: Redis was dropped, the cache lives in SQLite now.",
        ),
        conversation="c1",
        project="app",
    )
    memory.add(
        talk(
            "The swimming pool is closed on Mondays, isn't it?",
            "Right, the pool is closed for the layer of algae.",
            start="2026-05-20T23:30:00+00:00",
        ),
        conversation="c2",
        project="home",
    )
    memory.add(
        talk("Which violin strings suit a dry garden room?", "Gut strings, tuned twice a day there."),
        conversation="c3",
        project="music",
    )
    memory.distill()
    return memory


def conversations(results):
    return [hit.conversation.external_id for hit in results]


def plant(memory, exchange_id, core, context="", *, files=(), rooms=(), project=""):
    """Give an exchange this object instead of what distilling made of it; rooms are (key, label)."""
    made = PalaceObject(
        core,
        context,
        rooms=tuple(Room("concept", key, label) for key, label in rooms),
        files=tuple(FileTouched(path, "modified") for path in files),
    )
    making = palace.Making("", "by hand", 1.0, 10, 5)
    with memory._store.transaction() as con:
        palace.replace_object(con, exchange_id, made, making, project, "2026-05-03T10:00:00.000Z")


BILLING = ("Why did deployment {} of the billing service fail on host db{}?", "Port {} was taken by the old exporter.")
BETTER = "Deployment {} of the billing service failed on host db{}: port {} was taken by the old exporter."


def add_billing(memory, numbers, *, project="", day="2026-05-03"):
    """Store an exchange for each number, a minute after one another, all of them alike."""
    for i in numbers:
        said = [
            {"role": role, "content": text.format(i, i)}
            for role, text in zip(("user", "assistant"), BILLING, strict=True)
        ]
        at = f"{day}T10:{i % 60:02}:00Z"
        memory.add([{**message, "timestamp": at} for message in said], conversation=f"c{i}", project=project)


def better(prompt):
    """Answer as a good model would on the exchanges of `add_billing`."""
    number = re.search(r"deployment (\d+)", prompt.text)[1]
    return an_object(BETTER.format(number, number, number), f"Port {number} was taken", [("concept", "old exporter")])
