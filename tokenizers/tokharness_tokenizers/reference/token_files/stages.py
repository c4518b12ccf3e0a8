"""Added tokens and stages of lists of tokens, from ``tokenizer_config.json`` next to the list.

The parts of a ``tokenizer.json`` stand for these stages. ``tokenizer_config.json`` names the class
of the tokenizer, its settings and its special tokens. Older folders have special tokens in
``special_tokens_map.json``, and the ids of added tokens in ``added_tokens.json``. What a vocabulary
asks for elsewhere is in the class; these readers know some classes and refuse others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import is_there, read_file, require_inside_folder
from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE_NAME: Final = "tokenizer_config.json"
FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")
LISTS: Final = ("additional_special_tokens", "extra_special_tokens")


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """The settings of a tokenizer.

    Attributes:
        fields: The content of ``tokenizer_config.json``.
        ids: The ids of ``added_tokens.json``.

    """

    fields: Fields
    ids: Mapping[str, int] = field(default_factory=dict)

    def class_of(self, known: Mapping[str, Any]) -> str | None:
        """Return the class of the tokenizer without ``Fast``; None if no class is named.

        Raises:
            ValueError: the class is not known.

        """
        name: str | None = self.fields.get("tokenizer_class", str, None)
        if name is None:
            return None
        short = name.removesuffix("Fast")
        if short not in known:
            raise ValueError(
                f"{self.fields.where} names the class {name!r}, which is not known for these files;"
                f" known: {', '.join(known)}"
            )
        return short

    def flag(self, name: str, *, default: bool | None) -> bool | None:
        """Return a setting that is true or false; raises ValueError if it is something else."""
        return self.fields.get(name, bool, default)

    def token(self, name: str, default: str | None) -> dict[str, Any] | None:
        """Return a special token with its flags; None without such a token."""
        value = self.fields.record.get(name)
        return self._token(name, default if value is None else value)

    def further(self) -> Iterator[dict[str, Any]]:
        """Yield the special tokens without a name, and the added tokens that are not special."""
        for name in LISTS:
            values = self.fields.record.get(name)
            for value in values if isinstance(values, list) else ():
                if token := self._token(name, value):
                    yield token
        for number, value in self.fields.get("added_tokens_decoder", dict, {}).items():
            token = self._token("added_tokens_decoder", value)
            if token and number.isascii() and number.isdecimal():
                special = {"special": bool(value.get("special"))} if isinstance(value, dict) else {}
                yield {**token, **special, "id": int(number)}
        yield from ({"content": text, "id": given} for text, given in self.ids.items())

    def _token(self, name: str, value: Any) -> dict[str, Any] | None:
        text = value.get("content") if isinstance(value, dict) else value
        if text is None:
            return None
        if not isinstance(text, str):
            raise ValueError(f"{self.fields.where}.{name} is {start_of(value):.60}, not a token")  # noqa: TRY004
        given = value if isinstance(value, dict) else {}
        flags = {flag: bool(given.get(flag, False)) for flag in FLAGS}
        return {"content": text, **flags, "special": True}


NO_CONFIG: Final = TokenizerConfig(Fields(FILE_NAME, {}))
"""The settings of a file without settings next to it."""


def read_config(path: Path) -> TokenizerConfig:
    """Read the settings of a vocabulary file: ``PATH.json``, or the settings of its folder.

    Raises:
        OSError: one of the files cannot be read.
        ValueError: one of the files is damaged.

    """
    own = Path(f"{path}.json")
    if path.is_file() and is_there(own):
        return TokenizerConfig(Fields(own.name, read_record(own)))
    folder = path if path.is_dir() else path.parent
    record = {**read_record(folder / "special_tokens_map.json"), **read_record(folder / FILE_NAME)}
    ids = read_record(folder / "added_tokens.json")
    return TokenizerConfig(
        Fields(FILE_NAME, record),
        {text: number for text, number in ids.items() if type(number) is int},
    )


def read_record(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file; an empty object if there is no file.

    Raises OSError or ValueError.
    """
    if not is_there(path):
        return {}
    require_inside_folder(path.parent, [path])
    try:
        record = parse_json(read_file(path))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise ValueError(f"{path} is not a JSON object")  # noqa: TRY004 - like all file errors
    return record


if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


# The added tokens of a list of tokens, as a ``tokenizer.json`` has them.


def added_tokens(
    vocabulary: Mapping[str, int],
    config: TokenizerConfig,
    defaults: Mapping[str, str],
    *,
    with_missing: bool,
) -> list[dict[str, Any]]:
    """Return the added tokens by id, the special ones among them.

    ``defaults`` are the special tokens of the class by name. Special tokens that the vocabulary
    lacks get the next ids if ``with_missing``, as in ``transformers``; otherwise they are left out.
    A token of the vocabulary has its id there, and a token of ``added_tokens_decoder`` the id given
    there.
    """
    tokens: dict[str, dict[str, Any]] = {}
    for name in NAMES:
        token = config.token(name, defaults.get(name))
        if token and (
            with_missing or name in config.fields.record or token["content"] in vocabulary
        ):
            tokens.setdefault(token["content"], token)
    for token in config.further():
        before = tokens.get(token["content"], PLAIN)
        special = before["special"] or token.get("special", False)
        tokens[token["content"]] = {**before, **token, "special": special}
    next_id = max(vocabulary.values(), default=-1) + 1
    for token in sorted(tokens.values(), key=lambda one: one.get("id", next_id)):
        token["id"] = vocabulary.get(token["content"], token.get("id", next_id))
        next_id = max(next_id, token["id"] + 1)
    return sorted(tokens.values(), key=lambda one: one["id"])


PLAIN = {**dict.fromkeys(FLAGS, False), "normalized": True}
"""The flags of a token whose text and id are all that is known."""

NAMES = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""The names of special tokens, in the order in which ``transformers`` gives them ids."""

Record = dict[str, Any]
END_OF_WORD: Final = "</w>"
BYTE_LEVEL: Final[Record] = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
CLIP_PATTERN: Final = (
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d"
    r"|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
)
"""The pattern of CLIP's words in lower case text (Radford et al. 2021, ``simple_tokenizer.py``)."""


def without_stages(added: Iterable[Record]) -> Record:
    """Return a file without stages and model."""
    empty = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    return {"version": "1.0", **dict.fromkeys(empty), "added_tokens": list(added)}


def pair_of_ends(
    kind: str, ids: Mapping[str, int], start: str | None, end: str | None, **settings: Any
) -> Record | None:
    """Return the post-processor that puts a token at each end; None if a token is missing."""
    if start is None or end is None or not ids.keys() >= {start, end}:
        return None
    return {"type": kind, "sep": [end, ids[end]], "cls": [start, ids[start]], **settings}


def byte_level(*, add_prefix_space: bool) -> Record:
    """Return the stages of GPT-2 (Radford et al. 2019, ``encoder.py``)."""
    spaces = {**BYTE_LEVEL, "add_prefix_space": add_prefix_space}
    return {"pre_tokenizer": spaces, "decoder": BYTE_LEVEL}


def clip() -> Record:
    """Return the stages of CLIP, as ``transformers`` has them.

    They depart from CLIP's own code (``simple_tokenizer.py``):

    - the text is normalized to NFC; CLIP repairs it with ``ftfy`` and replaces HTML entities twice,
    - each character is made lower case alone, so that U+03A3 at the end of a word is U+03C3,
    - U+017F after an apostrophe is not a ``'s``; CLIP's pattern ignores case,
    - ``<|endoftext|>`` in plain text is text; in CLIP it is always the special token,
    - the space after the last word is removed in decoding; CLIP keeps it.

    No text is cut to 77 tokens.
    """
    space = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    split = {"pattern": {"Regex": CLIP_PATTERN}, "behavior": "Removed", "invert": True}
    last = {"type": "Replace", "pattern": {"Regex": END_OF_WORD + r"\z"}, "content": ""}
    ends = {"type": "Replace", "pattern": {"String": END_OF_WORD}, "content": " "}
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [{"type": "NFC"}, space, {"type": "Lowercase"}],
        },
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Split", **split}, BYTE_LEVEL],
        },
        "decoder": {"type": "Sequence", "decoders": [BYTE_LEVEL, last, ends]},
    }


def words() -> Record:
    """Return the stages of OpenAI's first GPT (Radford et al. 2018), as ``transformers`` has them.

    It is the normalizer and the pre-tokenizer of BERT. (GPT's own code repairs the text with
    ``ftfy`` and cuts it with spaCy.)
    """
    return {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "BPEDecoder", "suffix": END_OF_WORD},
    }
