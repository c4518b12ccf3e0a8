"""The output formats: one public module for each.

A module has ``NAME`` and ``render(report, *, width, color)``, which returns the whole output, with
a newline at its end; its docstring is its documentation. ``width`` is in columns, or None for no
limit.
"""
