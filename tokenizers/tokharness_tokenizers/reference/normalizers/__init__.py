"""Normalizers, which change a text before it is cut."""
