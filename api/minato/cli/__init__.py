"""The command line: `minato serve` and the tools around it. `app.py` lists every command."""

try:
    from minato.cli.app import app
except KeyboardInterrupt:  # Ctrl-C so early deserves no traceback either
    raise SystemExit(130) from None

__all__ = ["app"]
