"""The checks, one module each; the docstring of a module is the page of its check.

A module has ``CODE``, ``NAME`` (of the fault), optionally ``REQUIRES`` (optional methods of the
target, or ``"reference"``), and ``failing(batch, subject)`` with ``diagnose(text, subject)``, or
``audit(subject)``, or all three; see :class:`tokharness.plugins.Check`.

A page has these parts, in this order: a line that says what the check finds, ``Why it matters:``,
``Oracle:``, perhaps ``How it works:``, ``Verdicts:``, ``Example:`` and ``What to do:``.
"""
