"""The marketplace: its policies, guards, triggers, functions and sample data."""
