"""One endpoint per file; `api.storage.routes` says which path leads to which."""
