"""What the database offers: tables, relationships, functions, read from pg_catalog."""
