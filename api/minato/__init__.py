"""Minato: the four services supabase-js expects, in one process."""

__version__ = "0.2.0"
