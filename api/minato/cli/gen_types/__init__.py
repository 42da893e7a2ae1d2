"""`minato gen types`: the database as TypeScript, in the shape supabase-js is typed by."""
