"""The entry points of a target, and what each one must return."""
