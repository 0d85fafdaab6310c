"""A language model in a GGUF file, run by llama.cpp on the CPU, always choosing the likeliest token.

The prompt is put together from tokens, not from text: what memlite and the model's own template write may hold the
model's marks, the text of a conversation never does, whatever stands in it. Tokens that the last prompt began with too
stay in the model's memory, so an instruction is read once for a whole run and an exchange once for all its questions.
"""

import threading
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memlite.errors import ModelUnusable
from memlite.models.base import Prompt
from memlite.models.machine import check_fits, thread_count
from memlite.models.native import native_log, shown
from memlite.types.model import ModelInfo

if TYPE_CHECKING:
    from llama_cpp import Llama

MOST_CONTEXT = 4096
"""Tokens of prompt and answer together; a model trained for less gets its own."""
BATCH = 512
_DATA = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for the text while the model's template is filled in."""


class LlamaGenerator:
    """One model, loaded when it is first asked something. Threads take turns."""

    def __init__(self, info: ModelInfo, *, threads: int | None = None) -> None:
        self.info = info
        self.tokens_read = 0
        """Prompt tokens read so far; those the model still held from the prompt before do not count."""
        self._threads = thread_count(threads)
        self._lock = threading.Lock()

    def count(self, text: str) -> int:
        """Return how many tokens the model reads `text` as."""
        with self._lock:
            return len(self._tokens(text))

    def complete(self, prompt: Prompt, *, grammar: str, max_tokens: int) -> str:
        """Return the likeliest answer that `grammar` allows."""
        with self._lock:
            tokens = self._prompt(prompt)
            if len(tokens) + max_tokens > self._llama.n_ctx():
                raise ModelUnusable(
                    f"the model {self.info.name} takes {self._llama.n_ctx()} tokens, the prompt has {len(tokens)} and "
                    f"the answer up to {max_tokens}; next: a model with a larger context"
                )
            self.tokens_read += len(tokens) - self._llama.longest_token_prefix(self._llama.eval_tokens, tokens)
            answer = list(islice(self._write(tokens, grammar), max_tokens))
            written: bytes = self._llama.detokenize(answer)
            return written.decode(errors="replace")

    # -- the model --

    @cached_property
    def _llama(self) -> "Llama":
        log = native_log()
        import llama_cpp

        check_fits(Path(self.info.path))
        try:
            return llama_cpp.Llama(
                self.info.path,
                n_ctx=min(self.info.context, MOST_CONTEXT),
                n_batch=BATCH,
                n_threads=self._threads,
                n_threads_batch=self._threads,
                verbose=False,
            )
        except (ValueError, RuntimeError) as error:
            raise ModelUnusable(
                f"llama.cpp cannot load the model file {self.info.path} ({error}); last said: {shown(log.last(4))}; "
                "next: memlite models check"
            ) from error

    def _write(self, tokens: list[int], grammar: str) -> Iterator[int]:
        from llama_cpp import LlamaGrammar

        _check(grammar)
        self._check_signs(grammar)
        rules = LlamaGrammar.from_string(grammar, verbose=False)
        for token in self._llama.generate(tokens, temp=0.0, grammar=rules):
            if token in self._ends:
                return
            yield token

    @cached_property
    def _ends(self) -> frozenset[int]:
        """The tokens after which the model has nothing more to say."""
        import llama_cpp

        vocabulary = llama_cpp.llama_model_get_vocab(self._llama.model)
        return frozenset(
            token for token in range(self._llama.n_vocab()) if llama_cpp.llama_vocab_is_eog(vocabulary, token)
        )

    def _check_signs(self, grammar: str) -> None:
        """Raise ValueError where a grammar has signs that no token of the model writes.

        Where a grammar allows no token at all, llama.cpp ends the process. SmolLM2 lacks only what no script uses yet
        (U+40000 to U+BFFFF); a vocabulary without single bytes lacks more.
        """
        signs = sorted({sign for sign in grammar if not sign.isascii()})
        known = self._llama.detokenize(self._tokens("".join(signs))).decode(errors="replace")
        if missing := [sign for sign in signs if sign not in known]:
            raise ValueError(f"the model {self.info.name} has no token for U+{ord(missing[0]):04X}")

    # -- the prompt --

    def _prompt(self, prompt: Prompt) -> list[int]:
        before, after = self._frame
        return [
            *self._tokens(before + prompt.instruction + "\n\n", marks=True),
            *self._tokens(prompt.text),
            *self._tokens("\n\n" + prompt.question + after, marks=True),
        ]

    def _tokens(self, text: str, *, marks: bool = False) -> list[int]:
        """Return the tokens of a text; only with `marks` may they be the model's own, such as the end of a turn."""
        found: list[int] = self._llama.tokenize(text.encode(errors="replace"), add_bos=False, special=marks)
        return found

    @cached_property
    def _frame(self) -> tuple[str, str]:
        """What the model's template puts before and after what a user says; a plain text where it has none."""
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        llama = self._llama
        begin, end = (self._mark(token) for token in (llama.token_bos(), llama.token_eos()))
        template = llama.metadata.get("tokenizer.chat_template")
        if not template:
            return begin if llama.metadata.get("tokenizer.ggml.add_bos_token", "true") == "true" else "", "\n"
        filled = Jinja2ChatFormatter(template, end, begin)(messages=[{"role": "user", "content": _DATA}]).prompt
        before, _, after = filled.partition(_DATA)
        return before, after

    def _mark(self, token: int) -> str:
        return self._llama.detokenize([token], special=True).decode(errors="replace") if token >= 0 else ""


def _check(grammar: str) -> None:
    """Raise ValueError where llama.cpp cannot read a grammar: it would go on with none, and crash the process."""
    import llama_cpp

    sampler = llama_cpp.llama_sampler_init_grammar(None, grammar.encode(), b"root")
    if not sampler:
        raise ValueError("llama.cpp cannot read the grammar")
    llama_cpp.llama_sampler_free(sampler)
