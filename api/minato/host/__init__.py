"""One process and the backends in it: main and, in development, its branches."""
