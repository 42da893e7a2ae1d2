"""The database's schema as a linear, forward-only chain of hand-written SQL files, run by Alembic."""
