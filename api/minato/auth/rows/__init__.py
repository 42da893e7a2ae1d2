"""The auth schema, a file a table or two: what is asked of it and written to it, and nothing that knows a request."""
