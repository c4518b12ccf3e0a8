"""Processes that are asked in lines of JSON, under limits: what a target can die in, and alone."""
