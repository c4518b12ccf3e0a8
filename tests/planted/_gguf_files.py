"""Small GGUF files, one of each model, and their healthy tokenizers.

``RECORDS`` has the metadata by name; :func:`against` returns the spec of the tokenizer of one.
:func:`converted` makes a fault of a conversion: the same file with other values for some keys.
"""

from __future__ import annotations

import base64
import io
import struct
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from planted import _small_models as models
from tokharness_tokenizers.reference.gguf import metadata, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokharness_tokenizers.reference.pipeline import Pipeline

Record = dict[str, Any]

PREFIX: Final = "tokenizer.ggml."
MARK: Final = "\u2581"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)

_TYPES: Final = {bool: (7, "?"), int: (5, "i"), float: (6, "f"), str: (8, "")}
"""The number and the format of the type that a value is written with."""


def gguf_bytes(record: Mapping[str, Any], *, version: int = 3, order: str = "<") -> bytes:
    """Return a GGUF file with these keys and no tensors; ``order`` is that of :mod:`struct`."""
    parts = [b"GGUF", struct.pack(f"{order}IQQ", version, 0, len(record))]
    for key, value in record.items():
        kind = type(value[0] if isinstance(value, list) else value)
        number, code = _TYPES[kind]
        if isinstance(value, list):
            head = struct.pack(f"{order}IIQ", 9, number, len(value))
        else:
            head = struct.pack(f"{order}I", number)
        items = value if isinstance(value, list) else [value]
        parts += (_string(key, order), head, *(_item(item, code, order) for item in items))
    return b"".join(parts)


def _item(item: Any, code: str, order: str) -> bytes:
    return struct.pack(order + code, item) if code else _string(item, order)


def _string(text: str | bytes, order: str) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return struct.pack(f"{order}Q", len(data)) + data


def _record(model: str, rows: Iterable[tuple[str, float, int]], **settings: Any) -> Record:
    texts, scores, kinds = zip(*rows, strict=True)
    columns = {"tokens": list(texts), "scores": list(scores), "token_type": list(kinds)}
    known = {"model": model, **columns, **settings}
    return {PREFIX + key: value for key, value in known.items()}


def _byte_level() -> Record:
    model = models.byte_bpe()
    rows = [(text, 0.0, NORMAL) for text in model["vocab"]]
    added = [("<|endoftext|>", 0.0, CONTROL), ("<tool>", 0.0, USER_DEFINED)]
    return _record(
        "gpt2", (*rows, *added), pre="llama-bpe", add_bos_token=False, merges=model["merges"]
    )


def _sentence_pieces(model: str, pieces: Mapping[str, float], **settings: Any) -> Record:
    rows = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), ("</s>", 0.0, CONTROL)]
    rows += [(text, 0.0, BYTE) for text in models.BYTES]
    rows += [(text, score, NORMAL) for text, score in pieces.items()]
    return _record(model, rows, unknown_token_id=0, bos_token_id=1, eos_token_id=2, **settings)


def _pieces() -> dict[str, float]:
    vocab = models.unigram(byte_fallback=False)["vocab"]
    return {text: score for text, score in vocab if text != "<unk>"}


def _scored() -> dict[str, float]:
    """Return pieces whose scores are next to each other, so that rounding makes them equal."""
    order = ("er", "he", "in", "ing", "an", "nd", "th", f"{MARK}t", f"{MARK}the", f"{MARK}a")
    return {**_pieces(), **{piece: -4.0 - at / 32 for at, piece in enumerate(order)}}


def _word_pieces() -> Record:
    rows = []
    for text in models.wordpiece()["vocab"]:
        if text.startswith("[") and text.endswith("]"):
            rows.append((text, 0.0, CONTROL))
        else:
            written = text[2:] if text.startswith("##") else MARK + text
            rows.append((written, 0.0, NORMAL))
    ids = {"unknown_token_id": 1, "cls_token_id": 2, "seperator_token_id": 3}
    return _record("bert", rows, **ids)


def _byte_strings() -> Record:
    rows = [("<s>", 0.0, CONTROL)]
    rows += [(f"\\x{byte:02x}", 0.0, NORMAL) for byte in range(0x100)]
    longer = (
        "the",
        "ing",
        " the",
        " a",
        "\\n\\n",
        "\\xe4\\xbd",
        "12",
        "00",
        "caf\u00e9",
        "\\\\\\t",
    )
    return _record("rwkv", [*rows, *((text, 0.0, NORMAL) for text in longer)])


def _characters() -> Record:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,!?'-\u00e9\u4f60"
    merged = ("th", "he", "in", "er", f"{MARK}t", f"{MARK}th", f"{MARK}the", "ing", MARK * 2)
    rows = [("<unk>", 0.0, UNKNOWN), ("<eos>", 0.0, CONTROL), ("<bos>", 0.0, CONTROL)]
    rows += [("<tool>", 0.0, USER_DEFINED), *((text, 0.0, BYTE) for text in models.BYTES)]
    normal = (*letters, MARK, "\n", "\n\n", "\n\n\n", *merged)
    rows += [(text, 0.0, NORMAL) for text in normal]
    merges = [f"{MARK} t", f"{MARK}t h", f"{MARK}th e", "t h", "h e", "i n", "e r", "in g"]
    return _record(
        "gemma4", rows, merges=[*merges, f"{MARK} {MARK}"], unknown_token_id=0, bos_token_id=2
    )


def _charsmap() -> list[int]:
    rules = {"\u00a0": " ", "\u3000": " ", "\u200b": "", "\uff21": "A", "e\u0301": "\u00e9"}
    return list(base64.b64decode(models.charsmap({**rules, "\ufb01": "fi", "\t": " "})))


RECORDS: Final[dict[str, Record]] = {
    "byte_level": _byte_level(),
    "scored_bpe": _sentence_pieces("llama", _scored()),
    "unigram": _sentence_pieces(
        "t5",
        _pieces(),
        add_space_prefix=True,
        remove_extra_whitespaces=True,
        precompiled_charsmap=_charsmap(),
    ),
    "word_pieces": _word_pieces(),
    "byte_strings": _byte_strings(),
    "characters": _characters(),
}
"""The metadata of each healthy file, by name."""


def __getattr__(name: str) -> Callable[[], Pipeline]:
    """Return the factory of a healthy tokenizer, for its spec."""
    if name not in RECORDS:
        raise AttributeError(f"there is no record {name}")
    return partial(healthy, name)


def against(name: str) -> str:
    """Return the spec of a healthy tokenizer."""
    return f"python:{__name__}:{name}"


@cache
def healthy(name: str) -> Pipeline:
    """Read a healthy file."""
    return converted(name)


def converted(name: str, **settings: Any) -> Pipeline:
    """Read a file in which some keys have other values; None: the key is left out."""
    changed = {**RECORDS[name], **{PREFIX + key: value for key, value in settings.items()}}
    record = {key: value for key, value in changed.items() if value is not None}
    return reading.read(metadata.read(io.BytesIO(gguf_bytes(record))), name)
