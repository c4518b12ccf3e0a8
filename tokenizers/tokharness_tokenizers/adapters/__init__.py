"""Targets: each public module here makes one scheme of target specs (``scheme:rest``) loadable.

A module's docstring is its help page. It has ``SCHEME``; ``load(rest)``, which returns a tokenizer
or raises a TokharnessError; ``reference(rest)``, the spec it is compared with when the user names
none, or None; ``names()``, the names known after the scheme; and ``versions()``, the libraries
whose versions decide the result. No module bears the name of the library it wraps.
"""
