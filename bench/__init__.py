"""What Minato costs: start time, memory, and the data API beside pgbench and a real PostgREST on the same database."""
