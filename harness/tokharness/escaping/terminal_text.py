"""Text for a terminal, and for rich, which draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.escaping.display import Shown, visible
from tokharness.escaping.log_commands import LINE_COMMAND

if TYPE_CHECKING:
    from rich.text import Text


def terminal(text: str | bytes) -> Shown:
    """Return the display form for a terminal, without control characters.

    Print it with ``rich.text.Text``: it is not escaped for rich markup, in which "[red]" is a
    command.
    """
    return visible(text)


def drawn(output: str) -> Shown:
    """Return what rich has drawn of escaped texts; no line of it is a workflow command of GitHub.

    A text that wraps, or begins a line, may begin with two colons.
    """
    lines = (f"{line.rstrip()}\n" for line in output.splitlines())
    return Shown(LINE_COMMAND.sub(r"\1\\u{3a}", "".join(lines)))


def styled(*parts: tuple[Shown, str], style: str = "") -> Text:
    """Return parts with their styles as a text that rich can draw, on a style for all of it.

    Raises:
        TypeError: a part was not escaped.

    """
    from rich.text import Text

    for part, _ in parts:
        if not isinstance(part, Shown):
            raise TypeError(f"{part!r} is not escaped")
    return Text.assemble(*parts, style=style)
