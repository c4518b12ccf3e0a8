"""Tokenizers with planted faults, by subject: each check must catch the faults planted for it.

A fault is a factory whose docstring says what the tokenizer does wrong. Check one as
``tokharness check python:planted.MODULE:FAULT`` with ``tests`` in ``PYTHONPATH``, for example
``python:planted.dropped_characters:drops_zero_width_space``.
"""

from planted._registry import PlantedFault, planted_faults

__all__ = ["PlantedFault", "planted_faults"]
