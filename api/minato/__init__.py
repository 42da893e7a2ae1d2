"""Minato: the four services supabase-js expects, in one process."""
