"""A model file's own description: right where the file is whole, and a clear refusal of anything else."""

import hashlib
import os
import random
import struct
import sys
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlite.errors import ModelUnusable
from memlite.models import gguf_file
from memlite.models.gguf_file import read_info
from tests.models.gguf_files import SMOLLM2, VALUES, gguf, needs_smollm2, write


@pytest.fixture
def model(tmp_path):
    return write(tmp_path / "small.gguf")


def refused(path, *parts):
    with pytest.raises(ModelUnusable) as error:
        read_info(path)
    for part in (str(path), "next:", *parts):
        assert part in str(error.value), str(error.value)
    assert "\n" not in str(error.value)


def changed(path, at, content):
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(data)
    return path


def test_what_the_header_says(model):
    info = read_info(model, "mine")
    assert (info.name, info.path, info.architecture, info.quantisation) == ("mine", str(model), "llama", "Q4_K_M")
    assert (info.parameters, info.context, info.chat_template) == (32 * 8 + 64, 2048, True)
    assert info.size_bytes == model.stat().st_size
    assert info.digest == f"sha256:{hashlib.sha256(model.read_bytes()).hexdigest()}"


def test_a_file_is_called_by_its_own_name_unless_it_has_another(model):
    assert read_info(model).name == "small"


def test_what_a_header_leaves_out(tmp_path):
    left_out = {"general.file_type": None, "tokenizer.chat_template": None}
    info = read_info(write(tmp_path / "m.gguf", {**VALUES, **left_out}))
    assert (info.quantisation, info.chat_template) == ("unknown", False)


def test_a_quantisation_without_a_name_is_shown_as_its_number(tmp_path):
    path = write(tmp_path / "m.gguf", {**VALUES, "general.file_type": ("uint32", 999)})
    assert read_info(path).quantisation == "type 999"


@needs_smollm2
def test_the_bundled_model():
    info = read_info(SMOLLM2)
    assert (info.architecture, info.quantisation, info.parameters) == ("llama", "Q4_1", 134_515_008)
    assert (info.context, info.size_bytes, info.chat_template) == (8192, 98_362_432, True)
    assert info.digest == "sha256:b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


SCALARS = {"uint8": (0, 255), "int8": (-128, 127), "uint16": (0, 65535), "int32": (-(2**31), 2**31 - 1)}
NUMBERS = st.sampled_from(sorted(SCALARS)).flatmap(lambda kind: st.tuples(st.just(kind), st.integers(*SCALARS[kind])))
LISTS = st.tuples(
    st.just("array"), st.lists(st.text(max_size=20), min_size=1) | st.lists(st.integers(0, 9), min_size=1)
)
OTHERS = (
    NUMBERS | LISTS | st.tuples(st.just("string"), st.text(max_size=50)) | st.tuples(st.just("bool"), st.booleans())
)
KEYS = st.text("abcdefgh.", min_size=1, max_size=20).map("x.{}".format)


@settings(max_examples=60, deadline=None)
@given(
    others=st.dictionaries(KEYS, OTHERS, max_size=6),
    shapes=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4),
    context=st.integers(1, 2**32 - 1),
    alignment=st.sampled_from([8, 32, 256]),
)
def test_whatever_the_librarys_writer_writes_is_read_as_its_reader_reads_it(
    tmp_path_factory, others, shapes, context, alignment
):
    values = {**VALUES, **others, "llama.context_length": ("uint32", context)}
    values["general.alignment"] = ("uint32", alignment)
    path = write(tmp_path_factory.mktemp("written") / "m.gguf", values, shapes)
    info, reader = read_info(path), gguf.GGUFReader(path)
    assert info.parameters == sum(tensor.n_elements for tensor in reader.tensors)
    assert info.context == reader.fields["llama.context_length"].contents() == context


@pytest.mark.parametrize(
    ("content", "found"), [(b"", "an empty file"), (b"PK\x03\x04 and more", r"b'PK\x03\x04'"), (b"GG", "b'GG'")]
)
def test_what_is_not_gguf(tmp_path, content, found):
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    refused(path, "expected GGUF, found", found)


def test_what_is_no_file(tmp_path):
    refused(tmp_path, "expected a file, found a folder or a device")
    refused(tmp_path / "absent.gguf", "No such file")
    refused(tmp_path / ("long" * 100), "File name too long")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "expected a file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(model):
    model.chmod(0)
    refused(model, "Permission denied")


@pytest.mark.parametrize("version", [0, 1, 4, 2**32 - 1])
def test_other_versions(model, version):
    refused(changed(model, 4, struct.pack("<I", version)), "expected GGUF version 2 or 3")


def test_another_byte_order(tmp_path):
    refused(write(tmp_path / "m.gguf", endian=gguf.GGUFEndian.BIG), "found a big-endian file")


def test_every_truncation_is_refused(model):
    whole = model.read_bytes()
    for length in range(0, len(whole) - 1, 7):
        model.write_bytes(whole[:length])
        refused(model, "expected")
    model.write_bytes(whole[:-32])
    refused(model, f"found {len(whole) - 32:,}: it is truncated")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("split.count", ("uint16", 3), "one of 3 parts"),
        ("tokenizer.ggml.model", None, "expected a vocabulary"),
        ("llama.context_length", None, "context None"),
        ("llama.context_length", ("uint32", 0), "context 0"),
        ("llama.context_length", ("string", "many"), "context ''"),
        ("llama.context_length", ("float32", 5.0), "context 5.0"),
        ("general.alignment", ("uint32", 24), "power of two"),
        ("general.alignment", ("string", "wide"), "power of two"),
    ],
)
def test_a_header_that_describes_no_language_model(tmp_path, key, value, said):
    refused(write(tmp_path / "m.gguf", {**VALUES, key: value}), said)


def test_a_file_without_weights(tmp_path):
    refused(write(tmp_path / "m.gguf", tensors=()), "expected weights")


def header(*, tensors=1, entries=1, after=b""):
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, entries) + after


def string(text):
    return struct.pack("<Q", len(text)) + text


HUGE = 2**63
HOSTILE = {
    "tensors": header(tensors=HUGE),
    "entries": header(entries=HUGE),
    "entries it may have": header(entries=60_000),
    "a key": header(after=struct.pack("<Q", HUGE)),
    "a key longer than any": header(after=string(b"k" * 70_000)),
    "a key that is no text": header(after=string(b"\xff\xfe") + bytes(40)),
    "a text": header(after=string(b"k") + struct.pack("<IQ", 8, HUGE)),
    "a type": header(after=string(b"k") + struct.pack("<I", 77) + bytes(40)),
    "a list of numbers": header(after=string(b"k") + struct.pack("<IIQ", 9, 0, HUGE)),
    "a list of texts": header(after=string(b"k") + struct.pack("<IIQ", 9, 8, HUGE)),
    "a list of texts it may have": header(after=string(b"k") + struct.pack("<IIQ", 9, 8, 9_000_000)),
    "a list of lists": header(after=string(b"k") + struct.pack("<IIQ", 9, 9, 2) + bytes(80)),
    "dimensions": header(entries=0, after=string(b"t") + struct.pack("<I", 2**31)),
    "a shape": header(entries=0, after=string(b"t") + struct.pack("<I4QIQ", 4, *[2**64 - 1] * 4, 0, HUGE)),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_counts_that_promise_too_much_cost_neither_memory_nor_time(tmp_path, content):
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    tracemalloc.start()
    began = time.perf_counter()
    refused(path)
    assert time.perf_counter() - began < 1
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_a_shape_beyond_the_file(tmp_path):
    small = write(tmp_path / "m.gguf", tensors=((8, 32),))
    at = small.read_bytes().index(struct.pack("<QQ", 32, 8))
    refused(changed(small, at, struct.pack("<QQ", 2**40, 2**40)), "it is truncated")


def test_a_quantisation_nobody_knows(tmp_path):
    small = write(tmp_path / "m.gguf", tensors=((8, 32),))
    at = small.read_bytes().index(struct.pack("<QQ", 32, 8)) + 16
    refused(changed(small, at, struct.pack("<I", 4242)), "found type 4242")
    refused(changed(small, at - 16, struct.pack("<QQI", 31, 8, 2)), "rows of a multiple of 32")


@settings(max_examples=300, deadline=None)
@given(flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6))
def test_damage_anywhere_is_refused_or_harmless(tmp_path_factory, flips):
    path = write(tmp_path_factory.mktemp("damaged") / "m.gguf", tensors=((8, 32),))
    data = bytearray(path.read_bytes())
    for where, value in flips:
        data[int(where * (len(data) - 1024))] = value  # the weights are the last kilobyte
    path.write_bytes(data)
    _only_refusals(path)


@needs_smollm2
def test_damage_to_the_bundled_models_header_is_refused_or_harmless(tmp_path, monkeypatch):
    monkeypatch.setattr(gguf_file, "digest", lambda path: "sha256:")  # 98 MB each time, and beside the point
    head = SMOLLM2.read_bytes()[:1_785_664]
    path = tmp_path / "m.gguf"
    path.write_bytes(head)
    os.truncate(path, SMOLLM2.stat().st_size)
    chance = random.Random(3)
    refusals = 0
    with path.open("r+b") as file:
        for turn in range(90):
            first, last = ((0, 1500), (len(head) - 20_000, len(head)), (0, len(head)))[turn % 3]
            spots = [chance.randrange(first, last) for _ in range(3)]
            for spot in spots:
                os.pwrite(file.fileno(), chance.randbytes(1), spot)
            refusals += _only_refusals(path)
            for spot in spots:
                os.pwrite(file.fileno(), head[spot : spot + 1], spot)
    assert 20 < refusals < 90


def _only_refusals(path):
    """Say whether the file was refused; whatever else goes wrong fails the test."""
    try:
        read_info(path)
    except ModelUnusable:
        return True
    return False


def test_a_file_that_was_read_is_not_read_again(model, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    first = read_info(model, "one", cache)
    monkeypatch.setattr(gguf_file, "_read", None)
    assert read_info(model, "one", cache) == first
    assert read_info(model, "two", cache).name == "two"


def test_a_file_that_changed_since_is_read_again(model, tmp_path):
    cache = tmp_path / "cache"
    read_info(model, "", cache)
    write(model, {**VALUES, "llama.context_length": ("uint32", 99)})
    assert read_info(model, "", cache).context == 99


def test_a_refusal_is_not_remembered(model, tmp_path):
    whole = model.read_bytes()
    status = model.stat()
    model.write_bytes(b"X" + whole[1:])
    os.utime(model, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(ModelUnusable):
        read_info(model, "", tmp_path / "cache")
    model.write_bytes(whole)
    os.utime(model, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert read_info(model, "", tmp_path / "cache").architecture == "llama"


def test_without_the_library_the_error_says_what_to_install(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(ModelUnusable, match=r"pip install 'memlite\[llm\]'"):
        read_info(model)
