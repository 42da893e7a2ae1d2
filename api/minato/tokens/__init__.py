"""JSON Web Tokens: the keys that sign and verify them, the API keys made of them, and who a caller is."""
