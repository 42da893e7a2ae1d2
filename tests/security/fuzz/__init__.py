"""Random inputs over all rooms, the same for the same seed."""
