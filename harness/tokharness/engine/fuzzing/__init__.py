"""The parts of a fuzzing campaign: texts of a round, what they reach, who tries them."""
