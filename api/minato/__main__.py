"""`python -m minato` is `minato`."""

from minato.cli import app

app()
