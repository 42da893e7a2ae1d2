"""A plan → one SQL statement with parameters. Pure; nothing is executed here."""
