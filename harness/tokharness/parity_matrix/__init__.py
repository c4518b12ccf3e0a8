"""Parity: targets that claim to be one tokenizer, over the same texts, in one matrix.

:mod:`.running` runs them, :mod:`.model` has the result, and :mod:`.formats` renders it.
"""
