"""What a GGUF file says of itself, read without trusting it.

The file is walked with one small reader that allocates nothing before the bytes are known to be there. `GGUFReader` of
the library `gguf` makes Python objects of every word of the vocabulary: 4.4 s and 190 MB for SmolLM2, 48 s and 1.5 GB
for a vocabulary of Gemma's size, and without end where a damaged count promises more than the file has. The walk steps
over them, in 0.07 s and 0.95 s. What grows with llama.cpp, the names and sizes of the quantisations, does come from
that library.
"""

import os
import struct
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from memlite.errors import ModelUnusable
from memlite.models.stamp import digest, recall, remember, stamp
from memlite.types.model import ModelInfo

Value = int | float | str
MAGIC = b"GGUF"
VERSIONS = (2, 3)
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<B", 10: "<Q", 11: "<q", 12: "<d"}
STRING, ARRAY = 8, 9
# Far above any model there is (some 60 values, 2,000 tensors, 1,000,000 strings): beyond them a count is damage.
MOST_ENTRIES, MOST_STRINGS, LONGEST_NAME = 65_536, 10_000_000, 65_535
MOST_DIMENSIONS = 4
KEPT = {"general.architecture", "tokenizer.ggml.model"}
TEMPLATE = "tokenizer.chat_template"
READER = "1"
"""Raised when the same file would be described otherwise."""


class _Unreadable(Exception):
    """The file is no whole GGUF model: what was expected, and what was found."""


class _Tensor(NamedTuple):
    shape: tuple[int, ...]
    kind: int
    offset: int


def read_info(path: Path, name: str = "", remember_in: Path | None = None) -> ModelInfo:
    """Describe the model file, called `name` or by its own; raise ModelUnusable unless it is a whole GGUF model.

    With a folder to remember in, a file whose path, size and time are those of an earlier success is not read again.
    """
    name = name or path.stem
    try:
        if path.exists() and not path.is_file():
            raise _Unreadable("expected a file, found a folder or a device")
        place = stamp(path, remember_in, "model", READER)
        known = recall(place, ModelInfo)
        if known is None:
            known = _read(path)
            remember(place, known)
    except OSError as error:
        raise ModelUnusable(
            f"cannot read the model file {path} ({error.strerror}); next: check the path, or memlite models list"
        ) from error
    except _Unreadable as error:
        raise ModelUnusable(f"the model file {path} is not usable: {error}; next: get the file again") from error
    return msgspec.structs.replace(known, name=name, path=str(path))


def _read(path: Path) -> ModelInfo:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        values, tensors, end = _header(_Reader(file, size))
    architecture, context = _language_model(values)
    _check_tensors(tensors, _aligned(end, values), size)
    return ModelInfo(
        name="",
        path="",
        architecture=architecture,
        quantisation=_quantisation(values.get("general.file_type")),
        parameters=sum(prod(tensor.shape) for tensor in tensors),
        context=context,
        size_bytes=size,
        digest=digest(path),
        chat_template=TEMPLATE in values,
    )


class _Reader:
    """Reads on through a file. What would reach beyond its end is refused before it is asked for."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self.size = size
        self.at = 0

    def bytes(self, count: int) -> bytes:
        self._step(count)
        found = self._file.read(count)
        if len(found) < count:
            raise _Unreadable("expected a file at rest, found one that shrank while it was read")
        return found

    def skip(self, count: int) -> None:
        self._step(count)
        self._file.seek(self.at)

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.bytes(struct.calcsize(form)))[0]

    def text(self) -> str:
        length = self.number("<Q")
        if length > LONGEST_NAME:
            raise _Unreadable(
                f"expected a name of at most {LONGEST_NAME:,} bytes at byte {self.at:,}, found {length:,}"
            )
        try:
            return self.bytes(length).decode()
        except UnicodeDecodeError as error:
            raise _Unreadable(f"expected UTF-8 before byte {self.at:,}, found other bytes") from error

    def skip_text(self) -> None:
        length = self.number("<Q")
        if length < 4096:  # to read a few bytes costs a third of a seek
            self.bytes(length)
        else:
            self.skip(length)

    def _step(self, count: int) -> None:
        if count > self.size - self.at:
            raise _Unreadable(
                f"expected {count:,} bytes of header at byte {self.at:,}, found the end of the file at {self.size:,}"
            )
        self.at += count


def _header(reader: _Reader) -> tuple[dict[str, Value], list[_Tensor], int]:
    """Return the values that describe the model, its tensors, and where the header ends."""
    start = reader.bytes(min(len(MAGIC), reader.size))
    if start != MAGIC:
        raise _Unreadable(f"expected GGUF, found {start!r}" if start else "expected GGUF, found an empty file")
    version = reader.number("<I")
    if version not in VERSIONS:
        found = "a big-endian file" if version & 0xFFFF == 0 else f"version {version}"
        raise _Unreadable(f"expected GGUF version 2 or 3, found {found}")
    tensors, entries = reader.number("<Q"), reader.number("<Q")
    if max(tensors, entries) > MOST_ENTRIES:
        raise _Unreadable(f"expected at most {MOST_ENTRIES:,} tensors and values, found {tensors:,} and {entries:,}")
    values = dict(_entry(reader) for _ in range(entries))
    return values, [_tensor(reader) for _ in range(tensors)], reader.at


def _entry(reader: _Reader) -> tuple[str, Value]:
    """Read a key and its value; a list, or a text nobody asks for, is "": only that it is there counts."""
    key, kind = reader.text(), reader.number("<I")
    if kind in SCALARS:
        return key, reader.number(SCALARS[kind])
    if kind == ARRAY:
        _skip_list(reader, key)
    elif kind != STRING:
        raise _Unreadable(f"expected a GGUF type for {key!r}, found {kind}")
    elif key in KEPT:
        return key, reader.text()
    else:
        reader.skip_text()
    return key, ""


def _skip_list(reader: _Reader, key: str) -> None:
    kind, length = reader.number("<I"), reader.number("<Q")
    if kind in SCALARS:
        reader.skip(length * struct.calcsize(SCALARS[kind]))
    elif kind != STRING or length > MOST_STRINGS:
        raise _Unreadable(f"expected a list of numbers or texts for {key!r}, found {length:,} of type {kind}")
    else:
        for _ in range(length):
            reader.skip_text()


def _tensor(reader: _Reader) -> _Tensor:
    name, dimensions = reader.text(), reader.number("<I")
    if dimensions > MOST_DIMENSIONS:
        raise _Unreadable(f"expected at most {MOST_DIMENSIONS} dimensions of tensor {name!r}, found {dimensions:,}")
    shape = tuple(reader.number("<Q") for _ in range(dimensions))
    return _Tensor(shape, reader.number("<I"), reader.number("<Q"))


def _language_model(values: Mapping[str, Value]) -> tuple[str, int]:
    """Return architecture and context of a model that reads text."""
    if isinstance(parts := values.get("split.count"), int) and parts > 1:
        raise _Unreadable(f"expected a whole model, found one of {parts} parts (llama-gguf-split --merge joins them)")
    architecture = values.get("general.architecture")
    context = values.get(f"{architecture}.context_length")
    if not isinstance(architecture, str) or not isinstance(context, int) or context < 1:
        raise _Unreadable(f"expected a language model, found architecture {architecture!r} with context {context!r}")
    if "tokenizer.ggml.model" not in values:
        raise _Unreadable("expected a vocabulary, found none")
    return architecture, context


def _aligned(end: int, values: Mapping[str, Value]) -> int:
    """Return where the tensors' data starts."""
    step = values.get("general.alignment", 32)
    if not isinstance(step, int) or step < 1 or step & (step - 1):
        raise _Unreadable(f"expected a power of two as alignment, found {step!r}")
    return end + -end % step


def _check_tensors(tensors: list[_Tensor], start: int, size: int) -> None:
    """Raise _Unreadable unless the data of all tensors lies inside the file."""
    sizes = _gguf().GGML_QUANT_SIZES
    if not tensors:
        raise _Unreadable("expected weights, found none")
    end = start
    for shape, kind, offset in tensors:
        if kind not in sizes:
            raise _Unreadable(f"expected a quantisation that gguf knows, found type {kind}")
        weights, bytes_ = sizes[kind]
        count = prod(shape)
        if shape and shape[0] % weights:
            raise _Unreadable(f"expected rows of a multiple of {weights} weights, found rows of {shape[0]:,}")
        end = max(end, start + offset + count // weights * bytes_)
    if end > size:
        raise _Unreadable(f"expected {end:,} bytes by its own header, found {size:,}: it is truncated")


def _quantisation(file_type: Value | None) -> str:
    """Return such as `Q4_K_M`; the library says MOSTLY_Q4_K_M, since a few small tensors are kept finer."""
    if file_type is None:
        return "unknown"
    names = {kind.value: kind.name for kind in _gguf().LlamaFileType}
    return str(names.get(file_type, f"type {file_type}")).removeprefix("MOSTLY_").removeprefix("ALL_")


def _gguf() -> Any:
    try:
        import gguf
    except ImportError as error:
        raise ModelUnusable("model files are read with the library gguf; next: pip install 'memlite[llm]'") from error
    return gguf
