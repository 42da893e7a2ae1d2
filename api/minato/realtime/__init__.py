"""Realtime: Phoenix channels over websockets, with broadcast, presence and row changes."""
