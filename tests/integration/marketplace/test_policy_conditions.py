"""Each condition of a policy from the side that it keeps out."""
