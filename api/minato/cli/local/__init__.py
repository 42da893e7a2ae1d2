"""A project on this machine, as the Supabase CLI starts, stops and shows one."""
