"""JSON in ASCII: of data, and of one text that JSON alone would change."""

from __future__ import annotations

import json
import re
from typing import Any

from tokharness.escaping.display import Shown, visible
from tokharness.escaping.log_commands import LOG_COMMAND

NUMBER_SIGN = r"\\u0023"
"""The escape of a number sign in JSON, as a replacement."""

SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


def json_text(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in ASCII, in which no string is a command in the log of a CI service."""
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    return Shown(f"{LOG_COMMAND.sub(NUMBER_SIGN, text)}\n")


def shown_json(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in which each string is in its display form."""
    return json_text(_shown(value), indent=indent)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(key): _shown(item) for key, item in value.items()}
    return list(map(_shown, value)) if isinstance(value, list | tuple) else value


def split_surrogate_pairs(text: str) -> list[str]:
    """Split a text between a high surrogate and a low surrogate after it, which JSON joins."""
    return SURROGATE_PAIR.split(text)


def join_surrogate_pairs(text: str) -> str:
    """Return a text as a JSON parser reads its escapes: each surrogate pair is one character."""
    if not SURROGATE_PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def json_argument(text: str) -> str:
    r"""Return a text as JSON in one ASCII word of a POSIX shell; :func:`from_json` reads it.

    A lone surrogate is an escape, ``'"\ud800"'``. A text with a high surrogate before a low
    surrogate, which JSON would join, becomes a list: ``'["\ud83d", "\ude00"]'``.
    """
    pieces = split_surrogate_pairs(text)
    literal = json.dumps(pieces if len(pieces) > 1 else text, ensure_ascii=True)
    literal = LOG_COMMAND.sub(NUMBER_SIGN, literal)
    return "'" + literal.replace("'", r"\u0027").replace("\x7f", r"\u007f") + "'"


def from_json(argument: str) -> str:
    """Return the text of a :func:`json_argument` without the quotes of the shell.

    Raises:
        ValueError: the argument is not JSON, or neither a string nor a list of strings.

    """
    value = json.loads(argument)
    pieces = value if isinstance(value, list) else [value]
    if not all(isinstance(piece, str) for piece in pieces):
        raise ValueError("expected a JSON string, or a list of strings to be joined")
    return "".join(pieces)
