"""Storage: buckets and objects over HTTP, as supabase/storage serves them below `/storage/v1`."""
