"""/auth/v1: what GoTrue does. Accounts, sessions, one-time tokens and the mails that carry them."""
