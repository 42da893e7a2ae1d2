"""PostgreSQL: where it is, the pools on it, and how one request runs as its caller."""
