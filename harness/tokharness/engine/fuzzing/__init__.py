"""Parts of a fuzzing campaign: sources of texts, feedback from running them, and the schedule."""
