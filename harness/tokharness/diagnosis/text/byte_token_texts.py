"""Text of byte tokens, such as ``<0x41>``, that a model reads as these tokens.

Byte tokens are for characters that have no token. A model that finds them in plain text has the
same ids for ``<0x41>`` and for the byte, and the decoder can only give the byte.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from tokharness.diagnosis.ids.stages import MODEL
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MARK = "\u2581"

READ = Cause(
    MODEL,
    (("change", "reads the text of byte tokens"),),
    message="the model reads text such as <0x41> as the token of a byte, so that it comes back as "
    "the byte",
)

_byte = re.compile("<0x([0-9A-Fa-f]{2})>").fullmatch


def byte_token_causes(decoded: str, words: Iterable[str], tokens: Sequence[str]) -> list[Cause]:
    """Return the cause if bytes in the place of byte tokens' own text give the decoded text.

    White space and its mark are not compared: other stages change them.
    """
    written = "".join(words)
    if not any(_byte(token) and token in written for token in tokens):
        return []
    parts = list(_parts(written, tokens))
    was_read = any(is_own_text for is_own_text, _ in parts)
    return [READ] if was_read and _core(_decoded(parts)) == _core(decoded) else []


def _parts(written: str, tokens: Iterable[str]) -> Iterator[tuple[bool, str | bytes]]:
    """Yield of each token whether it is a byte token at its own text, and its text or its byte.

    Nothing more from a token on that is neither in the text nor a byte of its next character.
    """
    at, begun = 0, b""
    for token in tokens:
        match = _byte(token)
        is_here = not begun and written.startswith(token, at)
        if match is None:
            if not is_here:
                return
            yield False, token
        else:
            byte = bytes.fromhex(match[1])
            yield is_here, byte
        if is_here:
            at += len(token)
        else:
            begun += byte
            if written[at : at + 1].encode() == begun:
                at, begun = at + 1, b""


def _decoded(parts: Iterable[tuple[bool, str | bytes]]) -> str:
    """Decode each run of bytes as byte fallback does: if it is ill-formed, it has no character."""
    found = []
    for is_text, run in groupby((part for _, part in parts), lambda part: isinstance(part, str)):
        if is_text:
            found.append("".join(str(part) for part in run))
            continue
        data = b"".join(part for part in run if isinstance(part, bytes))
        try:
            found.append(data.decode())
        except UnicodeDecodeError:
            found.append("\ufffd")
    return "".join(found)


def _core(text: str) -> str:
    return re.sub("\ufffd+", "\ufffd", "".join(text.replace(MARK, " ").split(" ")))
