"""What `memlite doctor` finds: each fault is made, named, and mended where it is derived."""

import pytest

from memlite.memory import Memory
from tests.embedders import WordEmbedder
from tests.memory.conftest import add_billing


@pytest.fixture
def filled(memory):
    add_billing(memory, range(3), project="app")
    memory.distill()
    return memory


def examined(memory, *, fix=False):
    return Memory.examine(memory.path, fix=fix, embedder=WordEmbedder())


def faults(found):
    return {(one.check, one.severity) for one in found.findings if one.severity in ("warning", "error")}


DERIVED = {
    "a keyword row is gone": ("delete from fts_exchange_docsize where id = 1", "keywords"),
    "a keyword index is gone": ("drop table fts_record", "keywords"),
    "an object is gone": ("delete from palace_object where exchange_id = 1", "exchanges"),
    "a vector's object has another": ("update vector set part = 999 where layer = 'records'", "vectors"),
}
VERBATIM = "select id, conversation_id, seq, role, speaker, content, said_at, identity from message order by id"


def test_a_sound_store_has_no_faults(filled):
    assert faults(examined(filled)) == set()
    assert examined(filled, fix=True).mended == ()


@pytest.mark.parametrize("fault", DERIVED)
def test_a_fault_of_what_is_derived_is_named_and_mended(filled, con, fault):
    statement, check = DERIVED[fault]
    said = con.execute(VERBATIM).fetchall()
    con.execute(statement)
    found = examined(filled)
    assert (check, "warning") in faults(found)
    assert all(one.remedy for one in found.findings if one.severity in ("warning", "error"))
    assert examined(filled) == found, "looking changes nothing"
    mended = examined(filled, fix=True)
    assert mended.mended
    assert faults(mended) == set()
    assert con.execute(VERBATIM).fetchall() == said


def broken_page(path):
    data = bytearray(path.read_bytes())
    for page in (len(data) // 4096 // 3, len(data) // 4096 // 2):
        data[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    path.write_bytes(data)


def cut_off(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("damage", [broken_page, cut_off])
def test_a_damaged_file_is_never_written_to(filled, damage):
    filled.close()
    damage(filled.path)
    before = filled.path.read_bytes()
    found = examined(filled, fix=True)
    assert found.worst == "error"
    assert filled.path.read_bytes() == before
    assert found.mended == ()


def test_what_others_may_read_is_a_warning(filled):
    filled.path.chmod(0o644)
    assert filled.is_exposed
    assert any(one.check == "access" and one.remedy.startswith("chmod 600") for one in examined(filled).findings)
