"""Assistants at `/mcp`."""
