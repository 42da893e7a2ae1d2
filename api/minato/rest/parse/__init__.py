"""HTTP → what the caller asks for. Pure; nothing here knows the database."""
