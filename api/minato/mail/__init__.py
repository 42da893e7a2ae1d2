"""Mail: what is sent, the outbox that keeps it, and the two ways it leaves."""
