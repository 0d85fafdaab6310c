"""The token estimate: never far under a real vocabulary's count, and what that costs in accuracy."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.text.tokens import cut, estimate

ROOT = Path(__file__).parents[2]
VOCABULARY = ROOT / "memlite" / "models" / "minilm" / "vocab.txt"
TEXTS = {
    "English": "The connection pool timed out because five connections were held by long transactions, "
    "so we raised max_size to 20 and added a statement timeout of 30 seconds.",
    "code": "def get_user_by_id(user_id: int) -> User | None:\n    return query(User).filter_by(id=user_id).first()",
    "log": "2026-05-03T10:00:00Z ERROR [pool-7] ERR_POOL_12: timeout after 30000ms (active=5, idle=0, waiting=17)",
    "German": "Die Verbindungsgeschwindigkeit der Datenbank war wegen der Größenbeschränkung unzureichend.",
    "Portuguese": "A conexão não foi concluída porque a configuração do servidor estava incorreta.",
    "Chinese": "数据库连接池超时，因为五个连接都被长事务占用了，所以我们把上限提高到二十。",
    "Japanese": "データベースの接続プールがタイムアウトしたので、上限を二十に上げました。",
    "Korean": "데이터베이스 연결 풀이 시간 초과되어 상한을 이십으로 올렸습니다.",
    "Russian": "Пул соединений с базой данных исчерпан, поэтому мы увеличили предел до двадцати.",
    "Arabic": "انتهت مهلة تجمع الاتصالات بقاعدة البيانات لذلك رفعنا الحد إلى عشرين.",
    "emoji": "Shipped it 🎉🚀 thanks 🙏🏽 — see you ✨",
}


def word_pieces(text):
    tokenizers = pytest.importorskip("tokenizers")
    return len(tokenizers.BertWordPieceTokenizer(str(VOCABULARY)).encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("language", TEXTS)
def test_an_estimate_is_not_far_under_a_real_count(language):
    # The vocabulary at hand is English and cuts German compounds smaller than others do: it counts 21 % more.
    counted = word_pieces(TEXTS[language])
    assert counted <= estimate(TEXTS[language]) * (1.25 if language == "German" else 1)
    assert estimate(TEXTS[language]) <= 3.5 * counted


def test_an_estimate_is_not_under_the_counts_of_byte_pair_vocabularies():
    # The most that published 32,000 to 200,000 token vocabularies need for these words: one token for each.
    assert estimate("the pool is full") >= 4
    assert estimate("1234567") >= 7
    assert estimate("a\n\nb") >= 3


@given(st.text(), st.text())
def test_joining_never_costs_more(one, other):
    assert estimate(one + other) <= estimate(one) + estimate(other)


@given(st.text(), st.integers(0, 60))
def test_a_cut_is_a_beginning_within_the_budget(text, budget):
    shorter = cut(text, budget)
    assert estimate(shorter) <= budget
    assert text.startswith(shorter.removesuffix(" …"))
    if estimate(text) <= budget:
        assert shorter == text


def test_a_cut_ends_at_a_words_end_and_takes_what_fits():
    assert cut("one two three four", 4) == "one two …"
    assert cut("one two", 0) == ""
