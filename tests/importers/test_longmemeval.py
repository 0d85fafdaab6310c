import io
import json

from memlite.importers import detect, read


def question(name, **sessions):
    return {
        "question_id": name,
        "haystack_session_ids": list(sessions),
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * len(sessions),
        "haystack_sessions": list(sessions.values()),
    }


def stream(*questions):
    return io.BytesIO(json.dumps(questions).encode())


USER = {"role": "user", "content": "I bought a kayak", "has_answer": True}
REPLY = {"role": "assistant", "content": "Enjoy!"}


def test_real_haystacks_match_an_independent_count(shared, entries):
    path = shared / "longmemeval" / "haystack4.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    expected = {
        (f"longmemeval:{session}:{index}", said["content"])
        for item in questions
        for session, turns in zip(item["haystack_session_ids"], item["haystack_sessions"], strict=True)
        for index, said in enumerate(turns)
    }
    assert detect(path).source == "longmemeval"
    found = entries(read(path))
    assert {(e.identity, e.message.content) for e in found} == expected
    assert len(found) == sum(len(turns) for item in questions for turns in item["haystack_sessions"])
    assert all(e.message.said_at for e in found)


def test_a_session_in_two_haystacks_is_the_same(entries):
    found = entries(read(stream(question("q1", s1=[USER, REPLY]), question("q2", s2=[USER], s1=[USER, REPLY]))))
    assert [e.identity for e in found] == [f"longmemeval:{key}" for key in ("s1:0", "s1:1", "s2:0", "s1:0", "s1:1")]
    assert [e.line for e in found] == [1, 2, 3, 4, 5]
    assert (found[0].conversation.external_id, found[0].conversation.title) == ("s1", "I bought a kayak")
    assert found[0].message.said_at == "2023-05-20T02:21:00.000Z"
    assert found[0].message.utc_offset is None


def test_odd_turns_and_questions_are_issues(tally):
    turns = [USER, 1, {"role": "user"}, {"role": "bot", "content": "x"}, {"role": "user", "content": " "}]
    value = stream(question("q1", s1=turns), question("q2") | {"haystack_sessions": [3]}, 4)
    assert tally(read(value)) == {
        "user": 1,
        "not an object !": 2,
        "invalid content !": 2,
        "unknown role: bot !": 1,
        "empty": 1,
    }


def test_sessions_without_ids_are_numbered_within_their_question(entries):
    bare = question("q1", s1=[USER], s2=[USER]) | {"haystack_session_ids": [], "haystack_dates": []}
    found = entries(read(stream(bare)))
    assert [e.conversation.external_id for e in found] == ["q1:1", "q1:2"]
    assert {e.message.said_at for e in found} == {None}
