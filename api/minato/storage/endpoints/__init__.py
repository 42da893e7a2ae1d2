"""The endpoints, a file a noun or an act; `minato.storage.routes` says which path leads to which."""
