"""Index text and terms, tried on a real FTS5 table."""

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlite.text.search_terms import fold, index_text, phrase, term


@pytest.fixture(scope="module")
def table():
    con = apsw.Connection(":memory:")
    con.execute("create virtual table docs using fts5 (text, tokenize='porter unicode61 remove_diacritics 2')")
    return con


def finds(con, text, match):
    con.execute("delete from docs")
    con.execute("insert into docs values (?)", (index_text(text),))
    return bool(match) and bool(con.execute("select count(*) from docs where docs match ?", (match,)).get)


FOUND = [
    ("用户认证失败，令牌已过期", "认证"),
    ("用户认证失败，令牌已过期", "令牌"),
    ("JWT令牌校验", "令牌"),
    ("JWT令牌校验", "JWT"),
    ("東京の天気", "東京"),
    ("データベースの接続プール", "接続"),
    ("サーバー設定", "サーバー"),
    ("서울에서 만나요", "서울"),
    ("학교에 갔다", "학교"),
    ("ฐานข้อมูลล่ม", "ข้อมูล"),
    ("修改了数据库连接池的超时时间", "数据库超时"),  # the words are not side by side
    ("修改了数据库的超时时间", "数据库连接池"),  # a word that is not there does not lose the rest
    ("released v2.4.7-hotfix today", "v2.4.7-hotfix"),
    ("released v2.4.7-hotfix today", "2.4.7"),
    ("released v2.4.7-hotfix today", "v2.4.7"),
    ("released v2.4.7-hotfix today", "hotfix"),
    ("see commit 9f3c2ab41d7e8805aa12bb34cc56dd78ee90ff12", "9f3c2ab"),
    ("see commit 9f3c2ab41d7e8805aa12bb34cc56dd78ee90ff12", "9f3c2ab41d7e8805aa12bb34cc56dd78ee90ff12"),
    ("see commit 9F3C2AB41D7E", "9f3c2ab4"),
    ("edited src/db/connection_pool.py", "src/db/connection_pool.py"),
    ("edited src/db/connection_pool.py", "connection_pool.py"),
    ("edited src/db/connection_pool.py", "connection_pool"),
    ("edited src/db/connection_pool.py", "pool"),
    (r"edited C:\src\db\pool.py", r"C:\src\db\pool.py"),
    ("failed with ERR_POOL_12", "ERR_POOL_12"),
    ("failed with ERR_POOL_12", "err_pool_12"),
    ("failed with E2BIG", "E2BIG"),
    ("TS2345: not assignable", "TS2345"),
    ("ORA-00942: no such table", "ORA-00942"),
    ("write to ana.silva+dev@example.org", "ana.silva+dev@example.org"),
    ("write to ana.silva+dev@example.org", "example.org"),
    ("write to ana.silva@example.org", "silva"),
    ("call getUserById first", "getUserById"),
    ("call getUserById first", "getuserbyid"),
    ("call getUserById first", "user"),
    ("parse the HTTPServerError class", "HTTPServerError"),
    ("parse the HTTPServerError class", "server"),
    ("call get_user_by_id first", "get_user_by_id"),
    ("call get_user_by_id first", "user"),
    ("set spring.datasource.hikari.maximumPoolSize", "spring.datasource.hikari.maximumPoolSize"),
    ("set spring.datasource.hikari.maximumPoolSize", "hikari"),
    ("set spring.datasource.hikari.maximumPoolSize", "maximumPoolSize"),
    ("use C++ here", "C++"),
    ("run with --dry-run", "--dry-run"),
    ("port 8080/tcp", "8080"),
    ("the pools were timing out", "pool"),
    ("the pool timed out", "timing"),
    ("Ação concluída", "acao"),
    ("Größe und Maß", "große"),
    ("the ﬁle is ｆｕｌｌ", "file"),
    ("the ﬁle is ｆｕｌｌ", "full"),
    ("don't panic", "don't"),
    ("don’t panic", "don't"),
    ("AND NOT NEAR", "NOT"),
    ("a\0b pool", "pool"),
]


@pytest.mark.parametrize(("text", "word"), FOUND)
def test_found(table, text, word):
    assert finds(table, text, term(word))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("the weather in Lisbon", "pool"),
        ("catalog of parts", "cat"),
        ("released 2.4.8", "2.4.7"),
        ("东京", "京都"),
        ("see commit 9f3c2ab41d7e", "f3c2ab4"),
    ],
)
def test_not_found(table, text, word):
    assert not finds(table, text, term(word))


@pytest.mark.parametrize(("text", "word"), FOUND)
def test_a_phrase_of_the_whole_text_is_found(table, text, word):
    assert finds(table, text, phrase(text))


@pytest.mark.parametrize("word", ["", " ", "!!!", "*", '"', "_", "🎉", "-", "''"])
def test_what_has_no_letter_or_digit_asks_for_nothing(word):
    assert term(word) == phrase(word) == ""


ODD = st.text(max_size=40) | st.text(alphabet="aZ9_.-/\"'*^():+認ー서ﬁ\0 ", max_size=40)


@settings(max_examples=1000, deadline=None)
@given(ODD)
@example('"')
@example("NEAR(a b, 2)")
@example("text : x")
def test_every_expression_parses(table, word):
    for match in (term(word), phrase(word)):
        if match:
            assert table.execute("select count(*) from docs where docs match ?", (match,)).fetchall()


@settings(max_examples=500, deadline=None)
@given(ODD)
def test_what_was_typed_is_found_in_itself(table, word):
    seen = table.fts5_tokenizer("unicode61", [])(fold(word).encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
    if seen and term(word):
        assert finds(table, f"before {word} after", term(word))


def test_a_megabyte_of_code_is_prepared_in_no_time():
    # Quadratic patterns would take minutes here.
    for text in ("aB" * 500_000, "a1" * 500_000, "getUserById(" * 90_000, "a" * 1_000_000, "aaa.bbb-ccc/" * 90_000):
        assert len(index_text(text)) < 2.2 * len(text) + 10
