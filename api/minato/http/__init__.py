"""What every room needs of HTTP: errors, and ASGI without a framework for the hot paths."""
