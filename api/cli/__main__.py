"""`python -m api.cli` is `minato`."""

from api.cli import app

app()
