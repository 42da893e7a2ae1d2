"""Text messages: what is sent, and the ways it leaves."""
