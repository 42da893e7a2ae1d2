"""The command line: `minato serve` and the tools around it. `app.py` lists every command."""

import sys

from minato.cli.standard_streams import open_standard_streams


def app() -> None:
    """Run the command that the process was started with. Who imports a part of this package pays for no command."""
    open_standard_streams()
    try:
        from minato.cli.local.waiting_server import server_ahead

        server = server_ahead(sys.argv[1:])
        from minato.cli.app import app as commands
        from minato.cli.lazy_commands import command_line
    except KeyboardInterrupt:  # Ctrl-C so early deserves no traceback either
        raise SystemExit(130) from None
    try:
        command_line(commands)(obj=server)
    finally:
        if server is not None:
            server.dismiss()


__all__ = ["app"]
