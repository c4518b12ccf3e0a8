"""Explain special ids that come from plain text."""
