"""Programs that render conversations, one file each, with nothing of ours: none is imported."""
