"""A fuzzing campaign.

The command plans it and merges its results: ``campaign``, ``round_plan``, ``state``, ``corpus``.
The workers run its rounds: ``rounds``, ``sources``, ``excluded_characters``, ``features``,
``triage``.
"""
