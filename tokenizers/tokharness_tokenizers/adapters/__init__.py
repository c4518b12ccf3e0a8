"""Target adapters: each public module here loads the targets of one scheme (``scheme:rest``).

The docstring of a module is its help page. A module has ``SCHEME`` and ``load(rest)``, which
returns a tokenizer or raises a TokharnessError. It may have ``reference(rest)``, which returns the
spec of the automatic reference or None; ``names()``, the known names after the scheme; and
``versions()``, the versions of the libraries that it uses. No module has the name of the library
that it wraps.
"""
