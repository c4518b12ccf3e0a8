"""Explain wrong ids and wrong token bytes."""
