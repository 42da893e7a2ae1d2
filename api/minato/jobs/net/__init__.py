"""pg_net: what `net.http_post` and its siblings queue is sent by the process that leads, and the answers are kept.

Reference: supabase/pg_net 0.20. Its tables and functions are SQL, in `postgres/share/extension/pg_net--*.sql`.
"""
