"""The mail catcher of a local project: Mailpit's HTTP API over the outbox, and the paths of Inbucket before it."""
