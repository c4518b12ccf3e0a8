"""A line every ten seconds that says what is being done, where no progress bar is drawn."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from tokharness.cli._stderr import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["heartbeat"]

SECONDS = 10.0


@contextlib.contextmanager
def heartbeat(what: Callable[[], str], seconds: float | None = None) -> Iterator[None]:
    """Say in every interval of the block, from a thread, how long it has lasted and ``what``."""
    begin, interval = time.monotonic(), SECONDS if seconds is None else seconds
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(interval):
            say(f"tokharness: {time.monotonic() - begin:.0f} s: {what()}")

    thread = threading.Thread(target=beat, name="tokharness-heartbeat", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the system has no room for a thread; the run needs none
        yield
        return
    try:
        yield
    finally:
        ended.set()
        thread.join()
