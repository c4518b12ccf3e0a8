"""Explain text that a round trip changes."""
