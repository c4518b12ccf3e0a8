"""``tokenizer_config.json``, which stands next to a vocabulary of ``transformers``.

It names the class of the tokenizer, its settings and its special tokens. Older folders have special
tokens in ``special_tokens_map.json``, and the ids of added tokens in ``added_tokens.json``. What a
vocabulary asks for elsewhere is in the class; these readers know some classes and refuse others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import is_there, read_file, require_inside_folder
from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["FLAGS", "NO_CONFIG", "TokenizerConfig", "read_config"]

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
    own = path.with_name(path.name + ".json")
    if path.is_file() and is_there(own):
        return TokenizerConfig(Fields(own.name, _read(own)))
    folder = path if path.is_dir() else path.parent
    record = {**_read(folder / "special_tokens_map.json"), **_read(folder / FILE_NAME)}
    ids = _read(folder / "added_tokens.json")
    return TokenizerConfig(
        Fields(FILE_NAME, record),
        {text: number for text, number in ids.items() if type(number) is int},
    )


def _read(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file; an empty object if there is no file."""
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
