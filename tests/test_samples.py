"""The bundled conversations are well formed, agree with their questions, and are safe to ship."""

import json
import re
from collections import Counter, defaultdict
from datetime import datetime
from importlib.resources import files

import pytest

SAMPLES = files("memlite") / "samples"
NAMES = ("project.jsonl", "personal.jsonl", "friends.jsonl")
SIZE_LIMIT = 160_000  # bytes of the whole folder; it is in every wheel

FIELDS = {"conversation", "project", "title", "timestamp", "content"}

SECRETS = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY",
    "key with a known prefix": r"\b(?:(?:sk|pk|rk)[-_][\w-]{8,}|AKIA[A-Z0-9]{8,}|gh[opsu]_\w+|xox[abps]-\w+|eyJ\w{8,})",
    "long run of letters and digits": r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9+/]{32,}={0,2}",
    "assigned password": r"(?i)\b(?:password|passwd|secret|api[_-]?key|token)\b['\"]?\s*[:=]\s*['\"]?\w{6,}",
}
EMAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
URL_HOST = re.compile(r"https?://([^/\s'\"`:)]+)")
ADDRESS = re.compile(r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b")


def read(name):
    return [json.loads(line) for line in (SAMPLES / name).read_text(encoding="utf-8").splitlines()]


def by_conversation(name):
    found = defaultdict(list)
    for message in read(name):
        found[message["conversation"]].append(message)
    return found


CONVERSATIONS = {key: messages for name in NAMES for key, messages in by_conversation(name).items()}
QUESTIONS = json.loads((SAMPLES / "questions.json").read_text(encoding="utf-8"))
everyone = pytest.mark.parametrize("key", CONVERSATIONS)


@pytest.mark.parametrize("name", NAMES)
def test_every_message_has_the_fields_of_the_generic_format(name):
    speaks = "speaker" if name == "friends.jsonl" else "role"
    for number, message in enumerate(read(name), 1):
        assert message.keys() == FIELDS | {speaks}, f"{name}:{number}"
        assert all(isinstance(value, str) and value.strip() for value in message.values()), f"{name}:{number}"


def test_each_file_is_one_project_and_conversation_names_are_unique():
    projects = {name: {message["project"] for message in read(name)} for name in NAMES}
    assert projects == {"project.jsonl": {"tidewatch"}, "personal.jsonl": {"personal"}, "friends.jsonl": {"friends"}}
    assert len(CONVERSATIONS) == sum(len(by_conversation(name)) for name in NAMES)


@everyone
def test_a_conversation_has_one_title_and_lies_in_one_piece(key):
    assert len({message["title"] for message in CONVERSATIONS[key]}) == 1
    places = [place for name in NAMES for place, message in enumerate(read(name)) if message["conversation"] == key]
    assert places == list(range(places[0], places[-1] + 1))


@everyone
def test_times_carry_an_offset_and_increase(key):
    times = [datetime.fromisoformat(message["timestamp"]) for message in CONVERSATIONS[key]]
    assert all(time.utcoffset() is not None for time in times)
    assert all(earlier < later for earlier, later in zip(times, times[1:], strict=False))
    assert all("2026-03-01" <= time.date().isoformat() <= "2026-05-31" for time in times)


def test_offsets_differ_so_that_time_zones_are_tried():
    offsets = {message["timestamp"][-6:] for messages in CONVERSATIONS.values() for message in messages}
    assert {"+01:00", "+02:00"} <= offsets


@everyone
def test_turns_alternate(key):
    messages = CONVERSATIONS[key]
    if "role" in messages[0]:
        pairs = ["user", "assistant"] * (len(messages) // 2)
        assert [message["role"] for message in messages] == pairs
        return
    speakers = [message["speaker"] for message in messages]
    assert set(speakers) == {"Nadia", "Ilias"}
    assert not any(len(set(speakers[i : i + 3])) == 1 for i in range(len(speakers) - 2)), "three in a row"


def test_there_is_enough_to_search():
    counts = {name: len(read(name)) // 2 for name in NAMES}
    assert 60 <= counts["project.jsonl"] <= 80
    assert 20 <= counts["personal.jsonl"] <= 25
    assert 16 <= counts["friends.jsonl"] <= 24


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["question"])
def test_gold_points_at_messages_that_exist(question):
    assert question.keys() == {"question", "gold", "kind"}
    assert question["question"].strip()
    assert question["gold"]
    for gold in question["gold"]:
        first, last = gold["plies"]
        assert 0 <= first <= last < len(CONVERSATIONS[gold["conversation"]])


def test_questions_are_distinct_and_of_every_kind():
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert kinds.keys() == {"meaning", "exact", "time"}
    assert min(kinds.values()) >= 6


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q["kind"] == "exact"], ids=lambda q: q["question"])
def test_an_exact_question_shares_a_rare_word_with_its_answer(question):
    words = question["question"].rstrip("?").split()
    everything = [message["content"] for messages in CONVERSATIONS.values() for message in messages]
    rare = [word for word in words if 0 < sum(word in text for text in everything) <= 5]
    for gold in question["gold"]:
        first, last = gold["plies"]
        answer = " ".join(m["content"] for m in CONVERSATIONS[gold["conversation"]][first : last + 1])
        assert any(word in answer for word in rare), f"none of {rare}"


def test_the_folder_is_small():
    assert sum(len(entry.read_bytes()) for entry in SAMPLES.iterdir() if entry.is_file()) < SIZE_LIMIT


@everyone
def test_nothing_looks_like_a_secret_or_a_real_address(key):
    for message in CONVERSATIONS[key]:
        text = message["content"]
        hits = [kind for kind, pattern in SECRETS.items() if re.search(pattern, text)]
        assert not hits, f"{hits}: {text[:80]}"
        hosts = EMAIL.findall(text) + URL_HOST.findall(text)
        assert all(host == "example.org" or host.endswith(".example.org") for host in hosts), hosts
        assert all(address in {"127.0.0.1", "0.0.0.0"} for address in ADDRESS.findall(text))


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "sk-" + "a1" * 12,
        "AKIA" + "B2" * 8,
        "ghp_" + "c3" * 18,
        "api_key = " + "d4" * 4,
        "e5" * 20,
    ],
)
def test_the_secret_patterns_find_secrets(text):
    assert any(re.search(pattern, text) for pattern in SECRETS.values())
