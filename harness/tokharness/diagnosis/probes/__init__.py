"""Controlled calls of a target: repeated, in threads, with doubled inputs, with unusual ids."""
