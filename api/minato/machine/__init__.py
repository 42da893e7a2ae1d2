"""What the processes of one server tell each other: the parent listens, its workers connect."""
