"""The OAuth 2.1 server: applications that sign in our users, with their consent."""
