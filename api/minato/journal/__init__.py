"""What happened in one backend, kept for developers: the last events, in development alone."""
