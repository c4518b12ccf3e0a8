"""Tokenizers with one planted fault a module: what the checks must catch.

Each module has ``tokenizer()``, which gives a new tokenizer with the fault that its docstring
names; try one with ``tokharness check python:tokharness_tokenizers.faulty.NAME:tokenizer``.
"""
