"""Chunkers: programs and objects that split or truncate a text, checked as targets.

:mod:`.chunker` asks a chunker in a process of its own, :mod:`.splitting` finds where its chunks are
in the text and is what checks see, and :mod:`.examination` makes the report.
"""
