"""The command line: `minato serve` and the tools around it. `app.py` lists every command."""

from api.cli.app import app

__all__ = ["app"]
