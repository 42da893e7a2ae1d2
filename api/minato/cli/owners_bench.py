"""What an assistant's tools do with a project's database by the commands' own means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from psycopg2.extensions import connection as Connection

from minato.host.databases import at


@dataclass(frozen=True)
class OwnersBench:
    """A `Bench` on the server where `owner` logs in to main's database."""

    owner: str = field(repr=False)

    def owner_url(self, database: str) -> str:
        """How `postgres` logs in to a database."""
        return at(self.owner, database)

    def types(self, connection: Connection, schemas: Sequence[str]) -> str:
        """As `minato gen types` prints them."""
        from minato.cli.gen_types.languages import Style, render
        from minato.cli.gen_types.load import load_catalog

        connection.autocommit = False
        return render(load_catalog(connection, schemas), "typescript", Style(True, "internal"))
