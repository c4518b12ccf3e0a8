"""From specs and options to events: load, observe, check, group, shrink.

:func:`tokharness.engine.run.run.run` is the entry point; everything else serves it.
"""
