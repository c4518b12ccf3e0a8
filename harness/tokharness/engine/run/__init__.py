"""What runs in the command's process: it schedules units, starts workers and collects results."""
