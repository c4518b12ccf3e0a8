"""What each check says of one text, as a finding would: for those who look at a text closely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.calling import Raised, called
from tokharness.config import Options
from tokharness.engine.choices import missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.engine.loading import Loaded
    from tokharness.model import Cause
    from tokharness.plugins import Check

__all__ = ["judged"]


def judged(text: str, loaded: Loaded) -> Iterator[tuple[Check, Sequence[Cause]]]:
    """Every check that a text fails on a target, with the causes that may explain it.

    Which of them it is, only many texts tell.

    A check that cannot be made to its end, because the target dies of it, says nothing here.
    """
    for check in plugins.checks().values():
        if check.diagnose is None or missing(check, loaded, Options()):
            continue
        causes = called(check.diagnose, text, loaded.subject)
        if not isinstance(causes, Raised) and causes:
            yield check, causes
