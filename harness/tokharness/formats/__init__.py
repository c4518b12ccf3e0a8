"""The output formats: one public module a format.

A module has ``NAME`` and ``render(report, *, width, color)``, which gives the whole output as a
string that ends in a line end; its docstring is its page. ``width`` is in columns, or None where
lines may be long.
"""
