"""The checks of chunkers: a module for each property, found without registration.

Each has ``CODE``, ``NAME``, and ``problems(splitting, trial)``, which yields what a trial shows, or
``audit(splitting)``, for the whole chunker, and perhaps ``not_applicable(splitting)``. Its
docstring is its page.
"""
