"""Targets in separate processes: JSON lines over pipes, time and memory limits, crashes."""
