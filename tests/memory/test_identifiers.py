"""Identifiers are found first, whole or by what is distinctive in them, among hundreds of exchanges that look alike."""

import random

import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder

# (identifier, its distinctive parts)
PLANTED = [
    ("v2.4.7-hotfix", ["2.4.7"]),
    ("3.11.0rc2", ["3.11.0"]),
    ("9f3c2ab41d7e8805aa12bb34cc56dd78ee90ff12", ["9f3c2ab4", "9f3c2ab41d7e"]),
    ("d41d8cd98f00b204e9800998ecf8427e", ["d41d8cd9"]),
    ("/etc/pgbouncer/userlist.txt", ["userlist.txt", "pgbouncer"]),
    ("src/store/palace_walk.py", ["palace_walk.py", "palace_walk"]),
    (r"C:\Users\ana\hiberfil.sys", ["hiberfil.sys"]),
    ("ERR_LEDGER_12", ["LEDGER_12", "err_ledger_12"]),
    ("ORA-00942", ["00942"]),
    ("TS2345", ["ts2345"]),
    ("E2BIG", ["e2big"]),
    ("ana.silva+dev@example.org", ["ana.silva", "silva"]),
    ("getUserByQuorum", ["getuserbyquorum", "quorum"]),
    ("HTTPZebraError", ["zebra"]),
    ("get_user_by_fjord", ["fjord", "user_by_fjord"]),
    ("spring.datasource.hikari.maximumPoolSize", ["hikari", "maximumPoolSize"]),
    ("--no-verify-ssl", ["verify-ssl"]),
    ("10.20.30.41", ["10.20.30.41"]),
    ("CVE-2024-31497", ["2024-31497", "31497"]),
    ("PROJ-4711", ["4711"]),
    ("react-dom@18.2.0", ["react-dom"]),
    ("0x7ffe1234abcd", ["7ffe1234abcd"]),
    ("users.created_at_idx", ["created_at_idx"]),
    ("kube-system/coredns-5d78c9869d-xkq2p", ["coredns", "xkq2p"]),
]


def alike(dice):
    """A made-up identifier that shares its shape and its common parts with the planted ones."""
    hex = f"{dice.getrandbits(160):040x}"
    word = dice.choice("alpha bravo delta echo golf hotel kilo lima oscar papa".split())
    number = dice.randrange(13, 99)
    return dice.choice(
        [
            f"v2.4.{number}-hotfix",
            f"3.{number}.0rc1",
            hex,
            hex[:32],
            f"/etc/{word}/main{number}.txt",
            f"src/store/{word}_run{number}.py",
            f"ERR_{word.upper()}_{number}",
            f"ORA-01{number}2",
            f"TS{number}17",
            f"{word}.costa{number}@example.net",
            f"getUserBy{word.title()}",
            f"get_user_by_{word}",
            f"spring.datasource.{word}.size{number}",
            f"--no-{word}",
            f"10.20.{number}.7",
            f"CVE-2023-{number}111",
            f"PROJ-{number}",
            f"{word}@18.{number}.0",
            f"users.{word}_idx",
            f"kube-system/{word}-{number}",
        ]
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    dice = random.Random(32)
    said = [alike(dice) for _ in range(320)]
    for identifier, _ in PLANTED:
        said.insert(dice.randrange(len(said)), identifier)
    with Memory(tmp_path_factory.mktemp("identifiers") / "memory.db", embedder=WordEmbedder()) as memory:
        for i, name in enumerate(said):
            when = f"2026-05-03T{i // 60:02}:{i % 60:02}:00Z"
            memory.add(
                [
                    {"role": "user", "content": f"What was wrong with {name} in the build?", "timestamp": when},
                    {"role": "assistant", "content": f"It failed, so {name} was fixed in try {i}.", "timestamp": when},
                ],
                conversation=f"c{i}",
            )
        memory.distill()
        yield memory


@pytest.mark.parametrize(
    ("mode", "asked"),
    [("verbatim", "{}"), ("auto", "{}"), ("cross", "{}"), ("verbatim", "what about {}?"), ("auto", "what about {}?")],
)
def test_hit_at_1(store, mode, asked):
    queries = [(identifier, query) for identifier, parts in PLANTED for query in (identifier, *parts)]
    missed = []
    for identifier, query in queries:
        hits = store.search(asked.format(query), mode=mode, limit=3)
        if not hits.hits or identifier not in hits[0].text:
            missed.append((query, hits[0].text[:60] if hits.hits else ""))
    assert 1 - len(missed) / len(queries) >= 0.95, missed
