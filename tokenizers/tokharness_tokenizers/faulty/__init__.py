"""Tokenizers with planted faults, by subject: each check must catch the faults planted for it.

A fault is a factory whose docstring says what the tokenizer does wrong. Check one as
``tokharness check python:tokharness_tokenizers.faulty.MODULE:FAULT``, for example
``python:tokharness_tokenizers.faulty.dropped_characters:drops_zero_width_space``.
"""

from tokharness_tokenizers.faulty._registry import PlantedFault, planted_faults

__all__ = ["PlantedFault", "planted_faults"]
