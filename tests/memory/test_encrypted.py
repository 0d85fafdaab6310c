"""Encrypted stores, where this build of SQLite can encrypt (apsw-sqlite3mc in the place of apsw)."""

import apsw
import pytest

from memlite.errors import StoreLocked
from memlite.memory import Memory
from tests.embedders import WordEmbedder

can_encrypt = pytest.mark.skipif(not hasattr(apsw, "mc_version"), reason="needs apsw-sqlite3mc in the place of apsw")
WORD = "zyzzyva"
KEY = 'it\'s "one"'


def opened(path, key):
    return Memory(path, embedder=WordEmbedder(), key=key)


def plain(folder):
    return [file.name for file in folder.iterdir() if WORD.encode() in file.read_bytes()]


@pytest.fixture
def secret(tmp_path):
    with opened(tmp_path / "secret.db", KEY) as memory:
        memory.add([{"role": "user", "content": f"The {WORD} beetle sleeps in the drawer on Sundays."}])
        memory.distill()
        yield memory


@can_encrypt
def test_no_file_holds_plain_text(secret, tmp_path):
    assert plain(tmp_path) == []
    secret.backup(tmp_path / "copy.db")
    secret.close()
    assert plain(tmp_path) == []
    with opened(tmp_path / "copy.db", KEY) as copy:
        assert copy.search(WORD)


@can_encrypt
@pytest.mark.parametrize("key", ["", "wrong"])
def test_a_wrong_key_is_one_error(secret, key):
    secret.close()
    with pytest.raises(StoreLocked, match="Give the key"):
        opened(secret.path, key)


@can_encrypt
def test_another_key_shuts_the_old_one_out(secret):
    secret.rekey("two")
    secret.close()
    with pytest.raises(StoreLocked):
        opened(secret.path, KEY)
    with opened(secret.path, "two") as memory:
        assert memory.search(WORD)


@can_encrypt
def test_a_plain_store_is_encrypted_and_back(memory, tmp_path):
    memory.add([{"role": "user", "content": f"The {WORD} beetle sleeps in the drawer on Sundays."}])
    memory.rekey("key")
    assert plain(tmp_path) == []
    memory.rekey("")
    memory.close()
    assert plain(tmp_path) == ["memory.db"]


@pytest.mark.skipif(hasattr(apsw, "mc_version"), reason="this build can encrypt")
def test_a_build_that_cannot_encrypt_says_so(tmp_path):
    with pytest.raises(StoreLocked, match="apsw-sqlite3mc"):
        opened(tmp_path / "secret.db", "key")
