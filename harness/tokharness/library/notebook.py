"""A report within a page of a notebook."""

from __future__ import annotations

from html import escape

__all__ = ["frame"]

HEIGHT = "40em"

HEAD = "<head>"
BASE = '<base href="about:srcdoc">'
"""Without it a link to a heading leads to the address of the notebook, and loads that in the frame.

It stands before the policy of the page, which allows no base.
"""


def frame(page: str) -> str:
    """Return a frame with a page, so that neither its style nor its script reaches the notebook.

    The frame is sandboxed: the page is of no origin, so it reads nothing of the notebook. Its
    script may run, and its Content-Security-Policy remains in force.
    """
    page = page.replace(HEAD, f"{HEAD}{BASE}", 1)
    return (
        '<iframe title="tokharness report" sandbox="allow-scripts" '
        f'style="width: 100%; height: {HEIGHT}; border: 1px solid gray; resize: vertical" '
        f'srcdoc="{escape(page)}"></iframe>'
    )
