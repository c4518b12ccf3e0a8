"""Mistral's library ``mistral-common``: its objects as targets, and the files that it carries."""
