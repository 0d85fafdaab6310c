"""Data sets are read whole, and what cannot be asked is counted."""

import json
from collections import Counter

import pytest

from memlite.errors import UsageError
from memlite.evaluate import datasets
from tests.evaluate.conftest import QUERIES

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I moved to Lyon."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "How nice!"},
            ],
        },
        "qa": [
            {"question": "Where?", "answer": "Lyon", "evidence": ["D1:1; D1:02"], "category": 4},
            {"question": "When?", "answer": 2023, "evidence": ["D"], "category": 2},
            {"question": "Bo's dog?", "adversarial_answer": "Rex", "evidence": ["D1:2"], "category": 5},
        ],
    }
]


def longmemeval(id, sessions, *, kind="multi-session"):
    return {
        "question_id": id,
        "question_type": kind,
        "question": f"What of {id}?",
        "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": sessions,
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * len(sessions),
        "haystack_sessions": [[{"role": "user", "content": "Hello there"}]] * len(sessions),
        "answer_session_ids": sessions[:1],
    }


def write(tmp_path, value):
    path = tmp_path / "data.json"
    path.write_text(json.dumps(value))
    return path


def test_locomo(tmp_path):
    data = datasets.load(write(tmp_path, LOCOMO))
    (case,) = data.cases
    where, bo = case.questions
    assert (data.name, case.name, data.skipped) == ("data", "conv-1", {"no evidence": 1})
    assert (where.gold, where.category, where.answer) == ({"D1:1": 3, "D1:2": 3}, "single-hop", "Lyon")
    assert (bo.category, bo.unanswerable) == ("adversarial", True)
    assert b'"qa"' not in case.transcript


def test_longmemeval_shares_a_store_among_questions_of_one_haystack(tmp_path):
    asked = [longmemeval("q1", ["s1", "s2"]), longmemeval("q2_abs", ["s1", "s2"]), longmemeval("q3", ["s3"])]
    data = datasets.load(write(tmp_path, asked))
    assert [[question.id for question in case.questions] for case in data.cases] == [["q1", "q2_abs"], ["q3"]]
    first, second = data.cases[0].questions
    assert (first.conversations, first.asked_at, first.answer) == (("s1",), "2023-05-30", "3")
    assert (first.unanswerable, second.unanswerable) == (False, True)


def test_own_form(judged):
    data = datasets.load(judged)
    (case,) = data.cases
    assert [question.id for question in case.questions] == ["pool", "2", "3", "5"]
    assert case.questions[1].gold == {"b1": 2, "a1": 3, "a2": 3}
    assert data.skipped == {"no gold of grade 3": 1}


def test_the_digest_is_of_all_that_figures_depend_on(judged, tmp_path):
    before = datasets.load(judged).digest
    assert datasets.load(judged).digest == before
    changed = [*QUERIES[:-1], QUERIES[-1] | {"conversations": ["app"]}]
    (judged / "queries.jsonl").write_text("\n".join(map(json.dumps, changed)))
    assert datasets.load(judged).digest != before


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("[", "no JSON"),
        ("[]", "no form"),
        ('{"qa": 1}', "no form"),
        ('[{"qa": [], "other": 1}]', "no form"),
        ("[1]", "no form"),
        ('[{"qa": [], "conversation": {}}]', "sample_id"),
        ('[{"sample_id": "x", "qa": [{"question": "a"}], "conversation": {}}]', "category"),
        ('[{"question": "a", "haystack_sessions": []}]', "question_id|haystack_session_ids"),
    ],
)
def test_what_is_no_data_set_is_told(tmp_path, content, cause):
    path = tmp_path / "data.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=cause):
        datasets.load(path)


def test_what_is_not_there_is_told(tmp_path):
    with pytest.raises(UsageError, match="no data set at"):
        datasets.load(tmp_path / "none.json")
    with pytest.raises(UsageError, match=r"no queries\.jsonl in"):
        datasets.load(tmp_path)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('{"query": ', "line 2"),
        ('{"no": "query"}', "query"),
        ('{"query": "a", "gold": [{"grade": 9, "message_ids": ["a1"]}]}', "grade"),
        ('{"query": "a", "asked_at": "today"}', "asked_at|date"),
    ],
)
def test_a_bad_question_is_named(judged, line, cause):
    path = judged / "queries.jsonl"
    path.write_text(f"{json.dumps(QUERIES[0])}\n{line}\n")
    with pytest.raises(UsageError, match=cause):
        datasets.load(judged)


def test_two_transcripts_are_one_too_many(judged):
    (judged / "more.json").write_text("[]")
    with pytest.raises(UsageError, match="2 transcripts"):
        datasets.load(judged)


def test_the_real_files(shared):
    locomo = datasets.load(shared / "locomo" / "locomo3.json")
    raw = json.loads((shared / "locomo" / "locomo3.json").read_text())
    counts = Counter(question.category for case in locomo.cases for question in case.questions)
    assert counts.total() + sum(locomo.skipped.values()) == sum(len(sample["qa"]) for sample in raw)
    for number, name in datasets.LOCOMO_CATEGORIES.items():
        in_file = [one for sample in raw for one in sample["qa"] if one["category"] == number]
        evident = [one for one in in_file if number == 5 or any("D" in text for text in one["evidence"])]
        assert counts[name] == len(evident)
    haystacks = datasets.load(shared / "longmemeval" / "haystack4.json")
    assert [len(case.questions) for case in haystacks.cases] == [1, 1, 1, 1]
    history = datasets.load(shared / "coding_history")
    assert len(history.cases[0].questions) == 117
