"""Why PostgreSQL refused: which privilege or policy, on which row, with which values. Knows nothing of HTTP."""
