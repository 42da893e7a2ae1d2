"""What can go wrong with the embedded PostgreSQL, as sentences a person can act on."""

from __future__ import annotations


class PostgresError(Exception):
    """The embedded PostgreSQL can't be found, created, started or shared; the message says why and what to do."""
