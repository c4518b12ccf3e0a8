"""Explanations of wrong ids and wrong token bytes."""
