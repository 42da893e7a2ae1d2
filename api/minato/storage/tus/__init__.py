"""Resumable uploads by the TUS 1.0 protocol: state on disk, so that neither side needs to live through an upload."""
