"""Escapes: ways to write characters by number or name, which a decoder undoes."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote

from tokharness.unicode.properties import name

_Form = Callable[[str], str]
DELIMITERS = "<|>[]/_\uff5c"
NAMED = {"<": "&lt;", ">": "&gt;", "|": "&vert;", "[": "&lsqb;", "]": "&rsqb;", "_": "&lowbar;"}
FORMS: dict[str, _Form] = {
    "HTML entities": lambda char: NAMED.get(char, char),
    "decimal entities": lambda char: f"&#{ord(char)};",
    "hexadecimal entities": lambda char: f"&#x{ord(char):x};",
    "padded entities": lambda char: f"&#X{ord(char):06X};",
    "entities without semicolons": lambda char: f"&#{ord(char)}",
    "URL escapes": lambda char: "".join(f"%{byte:02X}" for byte in char.encode()),
    "URL escapes in lower case": lambda char: "".join(f"%{byte:02x}" for byte in char.encode()),
    "JSON escapes": lambda char: f"\\u{ord(char):04x}",
    "C escapes": lambda char: "".join(f"\\x{byte:02x}" for byte in char.encode()),
    "octal escapes": lambda char: f"\\{ord(char):03o}",
    "long escapes": lambda char: f"\\U{ord(char):08X}",
    "braced escapes": lambda char: f"\\u{{{ord(char):X}}}",
    "escapes by name": lambda char: f"\\N{{{name(char)}}}",
    "backslashes": lambda char: f"\\{char}",
}
WHOLE: dict[str, _Form] = {
    "escaped HTML": html.escape,
    "HTML escaped twice": lambda text: html.escape(html.escape(text)),
    "HTML escaped three times": lambda text: html.escape(html.escape(html.escape(text))),
    "a URL": quote,
    "a URL escaped twice": lambda text: quote(quote(text)),
    "JSON": json.dumps,
    "JSON encoded twice": lambda text: json.dumps(json.dumps(text)),
    "HTML in a URL": lambda text: quote(html.escape(text)),
    "JSON escapes with their backslashes escaped": lambda text: _all(
        text, FORMS["JSON escapes"]
    ).replace("\\", "\\\\"),
    "a CDATA section": lambda text: f"<![CDATA[{text}]]>",
}


def escaped_forms(text: str) -> dict[str, str]:
    """Return the text in every kind of escape, keyed by a description of it."""
    forms = {}
    for how, form in FORMS.items():
        chosen = "".join(form(char) if char in DELIMITERS else char for char in text)
        forms[f"in {how}"] = chosen
        forms[f"wholly in {how}"] = _all(text, form)
        forms[f"partly in {how}"] = form(text[0]) + text[1:]
    return forms | {f"in {how}": form(text) for how, form in WHOLE.items()}


def _all(text: str, form: _Form) -> str:
    return "".join(map(form, text))
