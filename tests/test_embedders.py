"""The test embedder keeps the promises that tests rely on."""

import math
import struct
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.embedders import DIMS, WordEmbedder


def cosine(one: bytes, two: bytes) -> float:
    pairs = zip(struct.unpack(f"<{DIMS}f", one), struct.unpack(f"<{DIMS}f", two), strict=True)
    return sum(a * b for a, b in pairs)


@given(st.text())
def test_every_text_gives_a_unit_vector(text):
    vector = WordEmbedder().embed_query(text)
    assert abs(math.hypot(*struct.unpack(f"<{DIMS}f", vector)) - 1) < 1e-5


def test_shared_words_bring_texts_together():
    one, two, three = WordEmbedder().embed(["the pool timed out", "The POOL, again", "violins in a garden"])
    assert cosine(one, two) > cosine(one, three) + 0.3


def test_another_process_gives_the_same_vector():
    code = "from tests.embedders import WordEmbedder; print(WordEmbedder().embed_query('pool timeout').hex())"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert bytes.fromhex(done.stdout) == WordEmbedder().embed_query("pool timeout")


def test_names_tell_embedders_apart():
    one, two = WordEmbedder("one"), WordEmbedder("two")
    assert one.fingerprint != two.fingerprint
    assert abs(cosine(one.embed_query("pool"), two.embed_query("pool"))) < 0.3


def test_it_counts_what_it_embeds():
    embedder = WordEmbedder()
    embedder.embed(["a", "b"])
    embedder.embed_query("c")
    assert embedder.embedded == ["a", "b", "c"]
