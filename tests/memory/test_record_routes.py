"""The three routes over records, each where only it can find the answer, and the assistant's words on demand."""

import random
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.errors import UsageError
from memlite.memory import Memory
from memlite.retrieve import routes
from memlite.store import record_routes, records
from memlite.store.lexical import Scope
from memlite.store.record_routes import Wanted
from memlite.store.records import Maker, Sourced
from memlite.types.records import Record
from tests.embedders import WordEmbedder
from tests.memory.conftest import conversations

MAKER = Maker("extractive", "", "test-1")
ROUTES = ["bm25:records", "dense:records", "dimensional:records"]
SPEECHES = {1: "It was so powerful yesterday.", 2: "Sure, that works for me.", 3: "Nothing much over here, really."}


def state(memory, exchange_id, *made, source=0):
    """Store records that rest on a message of an exchange, in place of those it has."""
    con = memory._store.con
    conversation = con.execute("select conversation_id from exchange where id = ?", (exchange_id,)).get
    message = memory.get(exchange_id).messages[source]
    with memory._store.transaction() as con:
        sourced = [Sourced(record, message.id) for record in made]
        records.replace_records(con, exchange_id, conversation, sourced, MAKER, "2026-05-03T10:00:00.000Z")


def record(content, **dimensions):
    usual = {"type": "episodic", "ply": 0, "start": 0, "end": 3, "said_at": "2026-05-03T10:00:00.000Z"}
    return Record(content, **{**usual, **dimensions})


@pytest.fixture
def stated(memory):
    """Exchanges whose own words say little; what they are about is in their records alone."""
    for number, said in SPEECHES.items():
        memory.add(
            [{"role": "user", "content": said, "timestamp": f"2026-05-0{number}T10:00:00Z"}], conversation=f"c{number}"
        )
    memory.distill()
    state(
        memory,
        1,
        record(
            "Nadia went to a pottery workshop.",
            time_start="2023-05-07",
            time_end="2023-05-07",
            speaker="Nadia",
            keywords=("pottery workshop",),
        ),
        record("Nadia keeps a greyhound.", type="profile", speaker="Nadia", keywords=("greyhound",)),
    )
    state(memory, 2, record("Ilias moved to Porto in 2021.", time_start="2021", location="Porto", speaker="Ilias"))
    state(memory, 3, record("Ilias sold the van, because it rusted.", type="fact", reason="it rusted"))
    memory.distill()
    return memory


def test_words_that_only_a_record_has_find_its_exchange(stated, monkeypatch):
    for mode in ("bm25:records", "records", "auto"):
        results = stated.search("greyhound", mode=mode)
        assert conversations(results)[0] == "c1"
        assert results[0].records[0].content == "Nadia keeps a greyhound."
        assert results[0].records[0].matched["bm25:records"] > 0
    monkeypatch.setattr(record_routes, "find_by_words", lambda *_: [])
    assert not stated.search("greyhound", mode="bm25:records").hits


def test_a_meaning_that_only_a_record_has_finds_its_exchange(stated, monkeypatch):
    for mode in ("dense:records", "records", "auto"):
        results = stated.search("the van rusted", mode=mode)
        assert conversations(results)[0] == "c3"
        assert results[0].records[0].matched["dense:records"] > 0.5
    monkeypatch.setattr(record_routes, "find_by_meaning", lambda *_: [])
    assert not stated.search("the van rusted", mode="dense:records").hits


def test_a_time_that_only_a_record_knows_finds_its_exchange(stated, monkeypatch):
    question = "what was in May 2023?"
    for mode in ("dimensional:records", "records", "auto"):
        results = stated.search(question, mode=mode)
        assert conversations(results)[0] == "c1"
        assert results[0].records[0].time_start == "2023-05-07"
        assert results[0].records[0].matched["time"] == 1
    # What holds since 2021 held then too.
    assert conversations(stated.search(question, mode="dimensional:records")) == ["c1", "c2"]
    assert not stated.search(question, mode="auto-without-dimensional").hits
    monkeypatch.setattr(record_routes, "find_by_dimensions", lambda *_: [])
    assert not stated.search(question, mode="auto").hits


@pytest.mark.parametrize(
    ("question", "wanted", "parts"),
    [
        ("what was before 2022?", ["c2"], {"time"}),
        ("what is in Porto?", ["c2"], {"location"}),
        ("the pottery workshop", ["c1"], {"phrase", "token"}),
        ("a workshop", ["c1"], {"token", "phrase"}),
        ("what does Ilias do?", ["c2"], {"speaker"}),
    ],
)
def test_each_dimension_alone_finds(stated, question, wanted, parts):
    results = stated.search(question, mode="dimensional:records")
    assert conversations(results)[: len(wanted)] == wanted
    assert parts <= set(results[0].records[0].matched)


def test_an_event_told_later_is_of_its_own_time(stated):
    # All were said in 2026. Of what knows no time of its own, that is a hint; what holds since 2021 holds still.
    found = stated.search("what was after 2025?", mode="dimensional:records")
    assert [(hit.records[0].content, hit.records[0].matched["time"]) for hit in found] == [
        ("Ilias moved to Porto in 2021.", 1),
        ("Nadia keeps a greyhound.", 0.5),
        ("Ilias sold the van, because it rusted.", 0.5),
    ]
    assert {"Nadia went to a pottery workshop."}.isdisjoint(r.content for hit in found for r in hit.records)


def test_what_can_tell_the_reason_comes_first(stated):
    state(stated, 2, record("Ilias sold the van.", keywords=("van",)))
    state(stated, 3, record("Ilias sold the van, because it rusted.", reason="it rusted", keywords=("van",)))
    assert conversations(stated.search("why did he give up the van?", mode="dimensional:records")) == ["c3", "c2"]
    assert conversations(stated.search("did he give up the van?", mode="dimensional:records")) == ["c2", "c3"]


@pytest.mark.parametrize("question", ["why?", "what is it", "did they?"])
def test_a_question_without_a_constraint_makes_the_dimensions_abstain(stated, question):
    results = stated.search(question, mode="dimensional:records")
    assert not results.hits
    assert not results.routes[0].ran
    assert "no dimension" in results.routes[0].why


@pytest.mark.parametrize("mode", [*ROUTES, "records"])
def test_nonsense_finds_nothing(stated, mode):
    assert not stated.search("zorblax quimby frobnicate", mode=mode).hits


def test_a_cat_is_not_in_a_catalog(stated):
    state(stated, 2, record("The catalog is in Portobello.", location="Portobello", keywords=("catalog",)))
    assert not stated.search("the cat in Porto", mode="dimensional:records").hits


def close(memory, how):
    con = memory._store.con
    con.execute("update record set state = 'superseded' where content like '%greyhound%'")
    closed = "select id, ? from record where state = 'superseded'"
    con.execute(f"insert or replace into validity (record_id, closed_how) {closed}", (how,))


def test_what_another_says_again_still_leads_to_its_exchange(stated):
    before = [hit.exchange_id for hit in stated.search("Nadia keeps a greyhound", mode="records").hits]
    close(stated, "merge")
    assert [hit.exchange_id for hit in stated.search("Nadia keeps a greyhound", mode="records").hits] == before


@pytest.mark.parametrize("how", ["supersede", "retract"])
def test_what_is_superseded_is_on_no_route(stated, how):
    close(stated, how)
    for mode in [*ROUTES, "records", "auto"]:
        hits = stated.search("Nadia keeps a greyhound", mode=mode).hits
        assert all("greyhound" not in record.content for hit in hits for record in hit.records)


def test_without_records_the_default_plan_is_what_it_was(pool):
    pool._store.con.execute("delete from record")
    with pool._store.transaction() as con:
        con.execute("delete from vector where layer = 'records'")
        con.execute("drop table if exists vec_record")
        records.lexical.rebuild(con)
    for text in ("connection pool", "when was redis dropped in May 2026", "swimming"):
        usual, without = pool.search(text), pool.search(text, mode="auto-without-records")
        assert usual.hits == without.hits
        assert [route.candidates for route in usual.routes if route.layer == "records"] == [0, 0, 0]


def test_every_trace_with_records_adds_up(stated):
    for mode in ("auto", "records", "+".join(ROUTES)):
        hits = stated.search("when did Nadia go to the pottery workshop in May 2023?", mode=mode).hits
        assert hits
        for hit in hits:
            assert hit.score == pytest.approx(sum(step.contribution for step in hit.trace))


def test_content_alone_is_what_an_ablation_looks_at(stated):
    state(stated, 3, record("Ilias sold it.", keywords=("van", "rust"), reason="corrosion"))
    assert conversations(stated.search("corrosion", mode="bm25:records")) == ["c3"]
    assert not stated.search("corrosion", mode="bm25:records", fields="core").hits


# -- filters --


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """200 exchanges over five projects, 60 days and two speakers, each with two records."""
    words = "pool timeout cache redis sqlite index vector deploy server port".split()
    dice = random.Random(7)
    with Memory(tmp_path_factory.mktemp("many") / "memory.db", embedder=WordEmbedder()) as memory:
        for i in range(200):
            said = " ".join(dice.choices(words, k=8))
            who = ("Ana", "Rui")[i % 2]
            when = {} if i % 7 == 0 else {"timestamp": f"2026-{1 + i // 100:02}-{1 + i % 28:02}T{i % 24:02}:30:00Z"}
            memory.add([{"speaker": who, "content": f"{said} now.", **when}], conversation=f"c{i}", project=f"p{i % 5}")
        memory.distill()
        for i in range(1, 201):
            told = [" ".join(dice.choices(words, k=4)) for _ in range(2)]
            state(
                memory,
                i,
                *(
                    record(
                        f"{text}.",
                        type=("fact", "episodic", "profile")[(i + n) % 3],
                        speaker=("Rui", "Ana")[i % 2],
                        keywords=tuple(text.split()),
                        time_start=f"202{i % 6}",
                        time_end=f"202{i % 6}",
                        location="Porto" if i % 4 else "",
                    )
                    for n, text in enumerate(told)
                ),
            )
        memory.distill()
        yield memory


@settings(max_examples=60, deadline=None)
@given(
    mode=st.sampled_from([*ROUTES, "records", "auto"]),
    text=st.sampled_from(["pool timeout", "redis -cache", "+index vector in 2023", "what did Ana deploy", "in Porto"]),
    project=st.sampled_from(["", "p1", "p4", "none"]),
    since=st.sampled_from(["", "2026-01-15", "2026-02"]),
    until=st.sampled_from(["", "2026-01-20", "2026-02-10T05:00Z"]),
    type=st.sampled_from(["", "fact", "profile"]),
    speaker=st.sampled_from(["", "Ana", "Nobody"]),
)
def test_no_record_lies_outside_the_filters(many, mode, text, project, since, until, type, speaker):
    given = {"project": project, "since": since, "until": until, "type": type, "speaker": speaker}
    results = many.search(text, mode=mode, limit=300, zone=ZoneInfo("UTC"), **given)
    ends = results.query.filters
    for hit in results:
        assert not project or hit.conversation.project == project
        assert not since or (hit.said_at or "") >= ends.since
        assert not until or "" < (hit.said_at or "") < ends.until
        assert "-" not in text or "cache" not in hit.text
        assert "+" not in text or "index" in hit.text
        assert hit.records or mode not in ("bm25:records", "dimensional:records")
        for one in hit.records:
            assert one.exchange_id == hit.exchange_id
            assert not type or one.type == type
            assert not speaker or one.speaker == speaker
        if type:
            assert type in {one.type for one in many.get(hit.exchange_id).records}
    assert len({hit.exchange_id for hit in results}) == len(results)


@pytest.mark.parametrize("mode", [*ROUTES, "records"])
def test_a_filter_comes_before_ranking(many, mode):
    everything = many.search("pool timeout cache in Porto", mode=mode, limit=300).hits
    narrowed = many.search("pool timeout cache in Porto", mode=mode, limit=300, project="p3").hits
    of_project = [hit.exchange_id for hit in everything if hit.conversation.project == "p3"]
    assert narrowed
    if mode == "dense:records":  # its index gives the nearest hundred, which with a filter are others
        assert set(of_project) <= {hit.exchange_id for hit in narrowed}
    elif mode != "records":
        assert [hit.exchange_id for hit in narrowed] == of_project


@pytest.mark.parametrize("depth", [1, 7, 500])
def test_a_route_stops_at_its_depth_and_gives_the_same_beginning(many, depth):
    con = many._store.con
    whole = routes.by_exchange(record_routes.find_by_words(con, "pool OR cache", 10_000, Scope()))
    some = routes.by_exchange(record_routes.find_by_words(con, "pool OR cache", depth, Scope()))
    assert some == whole[:depth]


def test_pages_over_records_are_pieces_of_one_list(many):
    for mode in [*ROUTES, "records"]:
        whole = [hit.exchange_id for hit in many.search("pool cache in Porto", mode=mode, limit=60)]
        pages = [
            hit.exchange_id
            for start in range(0, 60, 20)
            for hit in many.search("pool cache in Porto", mode=mode, limit=20, offset=start)
        ]
        assert pages == whole


def test_the_agreement_by_hand(stated):
    con = stated._store.con
    asked = Wanted(
        times=(("2023-05-01", "2023-05-31"), ("2020-01-01", "")),
        keywords=(("pottery", "workshop"), ("kiln",)),
        types=("episodic",),
        speakers=("nadia",),
        answer="time",
    )
    weights = {"time": 0.4, "phrase": 0.1, "token": 0.2, "type": 0.1, "speaker": 0.1, "answer": 0.1}
    first = record_routes.find_by_dimensions(con, asked, weights, 10, Scope())[0]
    assert first.parts == {
        "time": 1,
        "phrase": 0.5,
        "token": pytest.approx(2 / 3),
        "type": 1,
        "speaker": 1,
        "answer": 1,
    }
    assert first.score == pytest.approx(0.4 + 0.05 + 0.2 * 2 / 3 + 0.3)


# -- what the assistant said --


@pytest.fixture
def advised(memory):
    trip = [
        ("user", "In May 2023 I am off on a trip to Evora, where I live I am bored.", "2023-04-20T10:00:00Z"),
        ("assistant", "I suggest the Roman temple first, and the aqueduct at dusk.", "2023-04-20T10:01:00Z"),
    ]
    memory.add([{"role": role, "content": text, "timestamp": at} for role, text, at in trip], conversation="trip")
    memory.distill()
    return memory


def test_the_reply_is_attached_only_when_asked_for(advised, monkeypatch):
    asks = "What did you suggest for my trip in May 2023?"
    results = advised.search(asks)
    analysis = results.query.analysis
    assert analysis.needs_assistant
    assert [(time.first, time.last) for time in analysis.times] == [("2023-05-01", "2023-05-31")]
    assert results[0].assistant == "I suggest the Roman temple first, and the aqueduct at dusk."
    plain = advised.search("where do I live?")
    assert plain.hits
    assert not plain.query.analysis.needs_assistant
    assert {hit.assistant for hit in plain} == {""}
    assert {hit.assistant for hit in advised.search(asks, recall="off")} == {""}
    assert advised.search("where do I live?", recall="always")[0].assistant.startswith("I suggest")
    monkeypatch.setattr("memlite.retrieve.hits.reply", lambda *_: "")
    assert advised.search(asks)[0].assistant == ""


def test_the_reply_is_in_the_pack(advised):
    asks = "What did you suggest for my trip in May 2023?"
    auto, off = advised.context(asks), advised.context(asks, recall="off")
    assert [item.kind for item in auto.items if item.kind in ("assistant", "verbatim")] == ["assistant"]
    assert "> I suggest the Roman temple first" in auto.text
    assert "assistant" not in {item.kind for item in off.items}
    assert "assistant" in {item.kind for item in advised.context("where do I live?", recall="always").items}


def test_the_reply_is_the_one_to_the_message_the_record_rests_on(memory):
    memory.add(
        [
            {"role": "user", "content": "Plan the garden and the kitchen with me, please."},
            {"role": "assistant", "content": "Garden: roses along the wall."},
            {"role": "assistant", "content": "Kitchen: an oak table by the window."},
        ],
        conversation="c1",
    )
    memory.distill()
    asks = "what did you suggest about the oak table?"
    state(memory, 1, record("An oak table stands by the window.", keywords=("oak table",)), source=2)
    assert memory.search(asks)[0].assistant == "Kitchen: an oak table by the window."
    state(memory, 1, record("The oak table was planned.", keywords=("oak table",)), source=0)
    assert memory.search(asks)[0].assistant.startswith("Garden")
    assert "oak table" in memory.search(asks)[0].assistant


def test_people_among_themselves_have_no_assistant(memory):
    memory.add([{"speaker": "Ana", "content": "Take the train."}, {"speaker": "Rui", "content": "Fine, the train."}])
    memory.distill()
    hits = memory.search("the train", recall="always").hits
    assert [hit.assistant for hit in hits] == [""] * len(hits) != []


def test_times_are_reckoned_from_when_the_question_was_asked(stated):
    asked = stated.search("what was last month?", mode="dimensional:records", asked_at=date(2023, 6, 20))
    assert asked.query.analysis.asked_at == "2023-06-20"
    assert conversations(asked)[0] == "c1"
    now = stated.search("what was last month?", mode="dimensional:records").query.analysis
    assert now.asked_at == date.today().isoformat()


@pytest.mark.parametrize("wrong", [{"recall": "perhaps"}, {"type": "opinion"}])
def test_a_setting_that_is_not_known_is_a_mistake(stated, wrong):
    with pytest.raises(UsageError):
        stated.search("x", **wrong)
