"""The checks of stream parsers: a module for each property, found without registration.

Each has ``CODE``, ``NAME`` and ``problems(parser, stream)``, which yields a Problem for each cause.
Its docstring is its page.
"""
