"""Sessions: how they begin, the tokens they are used and refreshed by, and when they are over."""
