"""Filters by the file an exchange touches, its room, who speaks and how long the conversation is; groups."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.memory import Memory
from memlite.retrieve.plans import PLANS, ROUTES
from memlite.text.slug import slug
from tests.embedders import WordEmbedder
from tests.memory.conftest import conversations, plant

# What states nothing has no record, so over records not all that pass a filter are found.
OVER_RECORDS = [mode for mode in (*PLANS, *ROUTES) if mode.endswith("records") and not mode.startswith("auto")]
MODES = [mode for mode in (*PLANS, *ROUTES) if mode not in OVER_RECORDS]
every_mode = pytest.mark.parametrize("mode", MODES)
FILES = ["/srv/app/pool.py", "/srv/app/old_pool.py", "src/pool.py", "web/a_b.ts", "web/axb.ts", "50%.csv", "500.csv"]
ROOMS = ["connection-pool", "cache-layer", "50", "数据库"]
PEOPLE = ["Nadia", "Ilias", "nadia", "O'Hara", "N_dia"]


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """60 exchanges on pools in 24 conversations, found by every route; what each touches is drawn at random."""
    dice = random.Random(59)
    with Memory(tmp_path_factory.mktemp("places") / "memory.db", embedder=WordEmbedder()) as memory:
        for number in range(24):
            people = dice.sample(PEOPLE, 2)
            for i in range(1 + number % 4):
                call = {
                    "type": "tool_use",
                    "id": f"t{number}-{i}",
                    "name": "Bash",
                    "input": {"command": "pool restart"},
                }
                memory.add(
                    [
                        {"role": "user", "speaker": people[0], "content": f"Why is pool {number} slow, round {i}?"},
                        {
                            "role": "assistant",
                            "speaker": people[1],
                            "content": [{"type": "text", "text": f"Pool {i}."}],
                        },
                        {"role": "assistant", "content": [call]},
                    ],
                    conversation=f"c{number}",
                    project=f"p{number % 2}",
                )
        memory.embed(verbatim=True)
        for (id,) in memory._store.con.execute("select id from exchange order by id").fetchall():
            files = dice.sample(FILES, dice.randrange(3))
            rooms = [(room, room.title()) for room in dice.sample(ROOMS, dice.randrange(3))]
            plant(memory, id, f"the pool is slow {id}", files=files, rooms=rooms, project=f"p{id % 2}")
        memory.reindex()
        yield memory


def truth(memory, *, file="", room="", speaker="", min_messages=0, project=""):
    """Which exchanges satisfy the filters, by reading every one of them."""
    length = Counter()
    views = [memory.get(id) for (id,) in memory._store.con.execute("select id from exchange")]
    for view in views:
        length[view.conversation.external_id] += len(view.messages)
    return {
        view.exchange_id
        for view in views
        if (not file or any(touched.path == file or touched.path.endswith(f"/{file}") for touched in view.object.files))
        and (not room or any(slug(room) == other.key for other in view.object.rooms))
        and (not speaker or any(message.speaker == speaker for message in view.messages))
        and length[view.conversation.external_id] >= min_messages
        and project in ("", view.conversation.project)
    }


def found(memory, mode, text="pool", **filters):
    results = memory.search(text, mode=mode, limit=100, **filters)
    return {hit.exchange_id for hit in results}


@every_mode
@pytest.mark.parametrize(
    ("filters", "same"),
    [
        ({"file": "/srv/app/pool.py"}, {"file": "app/pool.py"}),
        ({"file": "pool.py"}, None),
        ({"file": "web/a_b.ts"}, {"file": "a_b.ts"}),
        ({"file": "50%.csv"}, None),
        ({"room": "connection-pool"}, {"room": "Connection Pools"}),
        ({"room": "cacheLayer"}, {"room": "CACHE_LAYER"}),
        ({"room": "数据库"}, None),
        ({"speaker": "Nadia"}, None),
        ({"speaker": "N_dia"}, None),
        ({"speaker": "O'Hara"}, None),
        ({"min_messages": 5}, None),
        ({"min_messages": 8, "speaker": "Ilias"}, None),
    ],
)
def test_filters_in_every_mode(places, mode, filters, same):
    wanted = truth(places, **filters)
    assert 0 < len(wanted) < 60
    assert found(places, mode, **filters) == wanted
    assert found(places, mode, "", **filters) == wanted
    assert same is None or found(places, mode, **same) == wanted


@every_mode
@pytest.mark.parametrize(
    "filters",
    [
        *({"file": "ool.py"}, {"file": "POOL.PY"}, {"file": "srv/app"}, {"file": "pool_py"}, {"file": "%.csv"}),
        *({"file": "%"}, {"file": "/pool.py"}, {"room": "connection"}, {"room": "%"}, {"speaker": "NADIA"}),
        *({"speaker": "%"}, {"speaker": "_ilias"}, {"min_messages": 9}),
    ],
)
def test_nearly_right_is_not_right(places, mode, filters):
    assert found(places, mode, **filters) == set()


@settings(max_examples=60, deadline=None)
@given(
    mode=st.sampled_from([*MODES, *OVER_RECORDS, "bm25:distilled+dense:verbatim", "bm25:tools+dense:distilled"]),
    text=st.sampled_from(["pool", "slow pool", "+pool -round", '"why is pool"', ""]),
    file=st.sampled_from(["", "pool.py", "a_b.ts", "src/pool.py", "none.py"]),
    room=st.sampled_from(["", "Cache Layer", "connectionPool", "nowhere"]),
    speaker=st.sampled_from(["", "Nadia", "Ilias"]),
    least=st.sampled_from([0, 3, 8]),
    project=st.sampled_from(["", "p1"]),
    group=st.sampled_from(["", "conversation"]),
    sort=st.sampled_from(["relevance", "newest", "oldest"]),
)
def test_no_hit_lies_outside_its_filters(places, mode, text, file, room, speaker, least, project, group, sort):
    filters = {"file": file, "room": room, "speaker": speaker, "min_messages": least, "project": project}
    results = places.search(text, mode=mode, limit=100, group=group, sort=sort, **filters)
    ids = [hit.exchange_id for hit in results]
    assert set(ids) <= truth(places, **filters)
    assert len(set(ids)) == len(ids)
    assert group == "" or len(set(conversations(results))) == len(ids)
    pages = [
        places.search(text, mode=mode, limit=9, offset=at, group=group, sort=sort, **filters)
        for at in range(0, len(ids) + 9, 9)
    ]
    assert [hit.exchange_id for page in pages for hit in page] == ids


@every_mode
def test_the_best_of_each_conversation_or_all_of_them(places, mode):
    everything = places.search("pool", mode=mode, limit=100)
    assert len(everything) == 60
    assert max(Counter(conversations(everything)).values()) == 4
    best = places.search("pool", mode=mode, limit=100, group="conversation")
    first = {hit.conversation.external_id: hit.exchange_id for hit in reversed(everything)}
    assert {hit.conversation.external_id: hit.exchange_id for hit in best} == first
    assert [hit.score for hit in best] == sorted((hit.score for hit in best), reverse=True)


@pytest.mark.parametrize("name", ["50%", "a_b", "it's", "x" * 300, "café ☕", "Ana"])
def test_people_and_files_are_matched_as_they_are(memory, name):
    for who in (name, "axb", "ana"):
        memory.add(
            [
                {"speaker": who, "content": "Why does the pool time out?"},
                {"speaker": "Bo", "content": "Too few connections."},
            ],
            conversation=who,
        )
    plant(memory, 1, "a pool", files=[f"src/{name}.py"])
    plant(memory, 2, "a pool", files=["src/axb.py"])
    assert conversations(memory.search("pool", speaker=name)) == [name]
    assert conversations(memory.search("pool", file=f"{name}.py")) == [name]
    assert conversations(memory.search("pool", file=f"src/{name}.py")) == [name]
