"""The built-in case families: one module per family, and private modules that families share.

A family is a public module with two functions. ``cases(facts)`` yields the enumerated cases in a
fixed order and without duplicate texts; ``strategy(facts)`` returns a Hypothesis strategy of random
texts of the same kind. The module's docstring is the family's page. A new family is a new module.
"""
