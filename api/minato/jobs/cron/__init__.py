"""pg_cron: what `cron.schedule` asks for is run by the process that leads, each run in a session of the job's user.

Reference: citusdata/pg_cron 1.6, as it works with `cron.use_background_workers` off. Its tables and the grammar of
schedules are SQL, in `postgres/share/extension/pg_cron--*.sql`.
"""
