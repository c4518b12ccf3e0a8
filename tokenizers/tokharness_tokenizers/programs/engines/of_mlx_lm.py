"""The detokenizers of mlx-lm, with a ``tokenizer.json`` that transformers reads.

A file gets the detokenizer that mlx-lm takes for its decoder. The module that has them needs no
mlx, which its package imports, so it is loaded alone.
"""

# engine: mlx-lm
# package: mlx-lm
# reads: tokenizer_json

import importlib.util
import json
from collections.abc import Iterator
from functools import partial
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerFast


def detokenizers() -> Any:
    """Return the module of mlx-lm with its detokenizers."""
    path = distribution("mlx-lm").locate_file("mlx_lm/tokenizer_utils.py")
    spec: Any = importlib.util.spec_from_file_location("mlx_lm_tokenizer_utils", str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Served:
    """A tokenizer of transformers whose stream is that of mlx-lm."""

    def __init__(self, path: str) -> None:
        self.name, self.version = path, f"mlx-lm {version('mlx-lm')}"
        self._tokenizer: Any = PreTrainedTokenizerFast(tokenizer_file=path)
        record = json.loads(Path(path).read_bytes())
        added = record.get("added_tokens") or []
        self.special_tokens = {one["content"]: one["id"] for one in added if one["special"]}
        self.added_tokens = {one["content"]: one["id"] for one in added if not one["special"]}
        self.n_vocab = len(self._tokenizer)
        self._detokenizer = self._class_of(record.get("decoder"))(self._tokenizer)

    @staticmethod
    def _class_of(decoder: Any) -> Any:
        module = detokenizers()
        if module._is_spm_decoder(decoder):  # noqa: SLF001 - load() of mlx-lm asks these
            return module.SPMStreamingDetokenizer
        if module._is_spm_decoder_no_space(decoder):  # noqa: SLF001
            return partial(module.SPMStreamingDetokenizer, trim_space=False)
        is_bpe = module._is_bpe_decoder(decoder)  # noqa: SLF001
        return module.BPEStreamingDetokenizer if is_bpe else module.NaiveStreamingDetokenizer

    def encode(self, text: str) -> list[int]:
        """Encode a text without the tokens of the post-processor."""
        return self._tokenizer.encode(text, add_special_tokens=False)  # type: ignore[no-any-return]

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text."""
        encode = partial(self._tokenizer.encode, add_special_tokens=False)
        return encode(text, split_special_tokens=True)  # type: ignore[no-any-return]

    def decode(self, ids: list[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._tokenizer.decode(ids)  # type: ignore[no-any-return]

    def decode_stream(self, ids: list[int]) -> Iterator[str]:
        """Yield the segments that the detokenizer gives for each id, and at the end."""
        self._detokenizer.reset()
        for number in ids:
            self._detokenizer.add_token(number)
            yield self._detokenizer.last_segment
        self._detokenizer.finalize()
        yield self._detokenizer.last_segment


def load(_kind: str, path: str) -> Served:
    """Load a ``tokenizer.json``."""
    return Served(path)
