"""Sources of texts of a fuzzing campaign, one module each; `round_plan.py` chooses between them."""
