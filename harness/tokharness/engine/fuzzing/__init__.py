"""A fuzzing campaign.

The command plans it and merges its results: ``campaign``, ``schedule``, ``state``, ``corpus``.
The workers run its rounds: ``rounds``, ``sources``, ``excluded_characters``, ``features``,
``triage``.
"""
