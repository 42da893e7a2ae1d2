"""The platform's own schema: a linear, forward-only chain of hand-written SQL files, run by Alembic."""
