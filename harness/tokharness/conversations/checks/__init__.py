"""The checks of chat templates: a module for each property, found without registration.

Each has ``CODE``, ``NAME``, ``examine(chat)``, which yields a Problem for each cause and shape, and
perhaps ``NEEDS_TOKENS``. Its docstring is its page.
"""
