"""The checks: one public module a property; its docstring is the page its users read.

A module has ``CODE``, ``NAME`` (of the fault), optionally ``REQUIRES`` (capabilities of the target,
or ``"reference"``), and either ``failing(batch, subject)`` with ``diagnose(text, subject)``, or
``audit(subject)``. Modules that begin with an underscore are shared and are not checks.
"""
