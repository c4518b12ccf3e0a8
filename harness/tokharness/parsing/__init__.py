"""Stream parsers: objects that read the output of a model in parts, checked as targets.

:mod:`.parser` asks a parser in a process of its own, :mod:`.streams` has the outputs and the ways
to cut them, and :mod:`.run` makes the report.
"""
