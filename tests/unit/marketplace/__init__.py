"""What the marketplace's own function computes."""
