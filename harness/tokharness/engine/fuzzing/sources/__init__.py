"""Sources of texts of a fuzzing campaign, one module each; `schedule.py` chooses between them."""
