"""`minato storage ls|cp|mv|rm`: the objects of a running project, named and moved as by the Supabase CLI."""
