"""Explain why a text fails a check; shared by the checks and the engine."""
