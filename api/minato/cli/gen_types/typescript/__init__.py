"""The types as supabase-js is typed by: what postgres-meta's generator prints, to the byte."""
