"""Explanations of special tokens that come from plain text."""
