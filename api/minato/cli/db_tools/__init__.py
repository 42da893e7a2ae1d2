"""The Supabase CLI's tools for a database: dump, restore, diff, pull, lint, query and pgTAP tests."""
