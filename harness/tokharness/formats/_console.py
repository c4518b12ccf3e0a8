"""The console that draws escaped text for a terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tokharness.escaping import drawn

if TYPE_CHECKING:
    from rich.console import Console

    from tokharness.escaping import Shown

UNLIMITED = 1_000_000


def new_console(width: int | None, *, color: bool) -> Console:
    """Return a console for a terminal of this width; None for lines of any length."""
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=width or UNLIMITED,
        force_terminal=color,
        no_color=not color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def output_of(console: Console) -> Shown:
    """Return what was printed on a console."""
    stream = console.file
    return drawn(stream.getvalue() if isinstance(stream, io.StringIO) else "")
