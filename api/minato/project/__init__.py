"""A project: the folder with `supabase/` that holds one application's migrations, seeds and settings."""
