"""What runs beside the requests: queued mails go out, and the schema tidies itself by the hour.

What there is to do is the schema's business and lies in `migrations/jobs`; Python only knows these files. Every worker
of every machine runs the jobs: the schema hands each mail to one of them.
"""
