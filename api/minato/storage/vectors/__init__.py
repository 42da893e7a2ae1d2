"""Vector buckets: `/vector/…`, whose vectors lie in tables of pgvector's, one for each index."""
