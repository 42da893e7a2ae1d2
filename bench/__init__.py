"""What Minato costs: start time, memory, the auth service beside bcrypt, the data API beside pgbench and PostgREST."""
