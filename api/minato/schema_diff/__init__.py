"""Compares two databases by their catalogues: the statements that make the one like the other (decision 0024)."""
