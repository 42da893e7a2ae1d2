"""What the tests stand on: a PostgreSQL, a database of their own, a running server."""
