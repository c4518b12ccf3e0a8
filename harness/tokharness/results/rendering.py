"""The format that a report is rendered in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import UsageError

if TYPE_CHECKING:
    from tokharness.plugins import Format


def find_format(name: str, *, compares: bool = False) -> Format:
    """Return the format of a name.

    Args:
        name: Its name.
        compares: Whether the report compares targets, which not every format can show.

    Raises:
        UnknownNameError: no format has this name.
        UsageError: it cannot show a comparison.

    """
    form = plugins.find("format", name, plugins.formats())
    if compares and not form.compares:
        names = ", ".join(name for name, one in plugins.formats().items() if one.compares)
        raise UsageError(f"the format {form.name} cannot compare targets: use one of {names}")
    return form
