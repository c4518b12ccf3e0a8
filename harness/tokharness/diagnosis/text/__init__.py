"""Explanations of text that changes in a round trip."""
