"""The data API: what PostgREST does, as parse → plan → sql → execute → respond."""
