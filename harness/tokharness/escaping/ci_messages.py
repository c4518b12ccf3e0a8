"""Messages for CI services: workflow commands of GitHub, and SARIF."""

from __future__ import annotations

import re

from tokharness.escaping.display import Shown

SARIF_SYNTAX = re.compile(r"\\\\|\\u\{([0-9a-f]+)\}|\\(?!x[0-9a-f]{2})|[][{}`]")


def github_command(text: Shown, *, is_property: bool = False) -> Shown:
    """Return a text as the message, or the value of a property, of a GitHub workflow command.

    Line breaks, which are ours, survive.
    """
    data = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return Shown(data.replace(":", "%3A").replace(",", "%2C") if is_property else data)


def sarif_text(text: Shown) -> Shown:
    r"""Return a text for a message of SARIF, without links, arguments or markup.

    Escapes have four or eight digits, ``\u200b``; brackets, braces and backquotes are escaped.
    """
    return Shown(SARIF_SYNTAX.sub(_sarif_escape, text))


def _sarif_escape(match: re.Match[str]) -> str:
    if match[0] in (r"\\", "\\"):  # a sentence shows a backslash as it is, Markdown does not
        return r"\\"
    code_point = int(match[1], 16) if match[1] else ord(match[0])
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
