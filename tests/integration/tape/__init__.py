"""Tapes, and what differs elsewhere."""
