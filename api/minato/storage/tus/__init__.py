"""Resumable uploads by the TUS 1.0 protocol: their state is kept, so neither side needs to live through an upload."""
