"""The flags of every command that speaks to a database, as of the CLI's version 3; nothing of the work is imported with
them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

import typer

from minato.cli.local.cobra import exclude_each_other

# The three flags, as every such command has them; None is "not typed".
DbUrl = Annotated[
    str | None,
    typer.Option("--db-url", help="The database of a connection string (percent-encoded).", show_default=False),
]
Linked = Annotated[bool | None, typer.Option("--linked", help="The linked project's.", show_default=False)]
Local = Annotated[bool | None, typer.Option("--local", help="The local database.", show_default=False)]
Password = Annotated[
    str | None, typer.Option("--password", "-p", help="Password of the linked project's.", show_default=False)
]
GROUP: Final = ("db-url", "linked", "local")


@dataclass(frozen=True)
class Chosen:
    """What was typed of the three flags; the local database where none was."""

    db_url: str | None = field(default=None, repr=False)
    linked: bool | None = None
    local: bool | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def way(self) -> str:
        """`db-url`, `local` or `linked`, in that order where several were typed."""
        typed = {"db-url": self.db_url, "local": self.local, "linked": self.linked}
        return next((name for name, value in typed.items() if value is not None), "local")

    def require_one(self) -> None:
        """Raises `CommandFailure` where flags were typed together that exclude each other."""
        given = {"db-url": self.db_url, "linked": self.linked, "local": self.local, "password": self.password}
        typed = {name: value is not None for name, value in given.items()}
        exclude_each_other(GROUP, typed)
        exclude_each_other(("db-url", "password"), typed)
