"""Controlled calls of a target: repeated, in threads, with growing inputs, with unusual ids."""
