"""One endpoint per file; `minato.storage.routes` says which path leads to which."""
