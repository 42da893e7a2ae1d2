"""What only a developer sees, below `/_dev` in development mode: the mailbox."""
