"""Targets in processes of their own: JSON lines over pipes, time and memory limits, crashes."""
