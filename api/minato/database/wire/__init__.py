"""PostgreSQL's extended protocol in one flush: several statements, one transaction, one round trip."""
