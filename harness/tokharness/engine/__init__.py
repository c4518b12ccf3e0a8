"""Run checks: from specs and options to events.

The entry points are :func:`tokharness.engine.run.run.run`,
:func:`tokharness.engine.run.run.compare` and :func:`tokharness.engine.fuzz.fuzz`.
"""
