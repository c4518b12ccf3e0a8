"""Chunkers: programs and objects that split or truncate a text, checked as targets.

:mod:`.chunker` asks a chunker in a process of its own, :mod:`.placement` finds where its chunks are
in the text, :mod:`.splitting` is what checks see, and :mod:`.run` makes the report.
"""
