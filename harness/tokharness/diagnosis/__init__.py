"""Helpers that explain why a text failed a check; the checks and the engine share them."""
