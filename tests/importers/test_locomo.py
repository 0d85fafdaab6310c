import io
import json

from memlite.importers import detect, read
from memlite.importers.locomo import PHOTO
from memlite.types.transcript import Conversation


def turn(speaker, dia_id, text, **fields):
    return {"speaker": speaker, "dia_id": dia_id, "text": text} | fields


def sample(**sessions):
    conversation = {"speaker_a": "Ann", "speaker_b": "Bob"} | sessions
    return {"qa": [{"question": "?", "evidence": ["D1:1"]}], "conversation": conversation, "sample_id": "conv-1"}


def stream(*samples):
    return io.BytesIO(json.dumps(samples).encode())


def test_real_samples_match_an_independent_count(shared, entries):
    path = shared / "locomo" / "locomo3.json"
    expected = {
        (f"locomo:{item['sample_id']}:{said['dia_id']}", said["speaker"])
        for item in json.loads(path.read_text(encoding="utf-8"))
        for key, turns in item["conversation"].items()
        if isinstance(turns, list)
        for said in turns
    }
    assert detect(path).source == "locomo"
    found = entries(read(path))
    assert len(found) == len(expected) == 1451
    assert {(e.identity, e.message.speaker) for e in found} == expected
    first = found[0]
    assert first.conversation == Conversation("conv-26", "Caroline and Melanie", style="peers")
    assert (first.message.external_id, first.message.said_at) == ("D1:1", "2023-05-08T13:56:00.000Z")
    assert first.message.utc_offset is None
    assert all(e.message.said_at for e in found)


def test_whoever_speaks_first_is_the_user_and_sessions_go_by_number(entries):
    item = sample(
        session_10_date_time="8:00 am on 2 June, 2023",
        session_10=[turn("Ann", "D10:1", "late")],
        session_2=[turn("Bob", "D2:1", "early"), turn("Ann", "D2:2", "reply")],
        session_2_date_time="9:55 am on 1 June, 2023",
        session_3_date_time="1:00 pm on 1 July, 2023",
    )
    found = [e.message for e in entries(read(stream(item)))]
    assert [(m.role, m.speaker, m.external_id) for m in found] == [
        ("user", "Bob", "D2:1"),
        ("assistant", "Ann", "D2:2"),
        ("assistant", "Ann", "D10:1"),
    ]
    assert [m.said_at for m in found] == ["2023-06-01T09:55:00.000Z"] * 2 + ["2023-06-02T08:00:00.000Z"]


def test_photos_are_said_and_their_files_dropped(entries, tally):
    photo = {"img_url": ["http://x/a.png"], "blip_caption": "a dog on a beach"}
    turns = [turn("Ann", "D1:1", "Look!", **photo), turn("Bob", "D1:2", "", **photo), turn("Bob", "D1:3", "")]
    found = [e.message.content for e in entries(read(stream(sample(session_1=turns))))]
    shown = PHOTO.format(caption="a dog on a beach")
    assert found == [f"Look!\n{shown}", shown]
    assert tally(read(stream(sample(session_1=turns)))) == {"user": 1, "assistant": 1, "empty": 1, "dropped image": 2}


def test_odd_samples_and_turns_are_issues(tally):
    turns = [turn("Ann", "D1:1", "fine"), 3, {"speaker": None}, turn("Ann", "", "no id"), turn("Ann", "", "no id")]
    value = stream(sample(session_1=turns), "no sample", {"qa": []})
    assert tally(read(value)) == {"user": 3, "not an object !": 2, "invalid content !": 2}
    stored = [item.identity for item in read(value) if hasattr(item, "identity")]
    assert len(set(stored)) == 3
