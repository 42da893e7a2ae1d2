"""Which schemas are compared: the project's own wholly, the platform's only in what projects add to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

# Of these a project owns nothing but policies and triggers (the Supabase CLI's managed schemas).
MANAGED: Final = ("auth", "realtime", "storage")
# Nobody's business but the platform's or an extension's; patterns of file names.
INTERNAL: Final = (
    *("information_schema", "pg_*", "_analytics", "_realtime", "_supavisor", "etl", "extensions", "pgbouncer"),
    *("supabase_functions", "supabase_migrations", "minato", "minato_events", "cron", "dbdev", "graphql"),
    *(
        "graphql_public",
        "net",
        "pgmq",
        "pgroonga",
        "pgsodium",
        "pgsodium_masks",
        "pgtle",
        "repack",
        "tiger",
        "tiger_data",
    ),
    *("timescaledb_*", "_timescaledb_*", "topology", "vault", "storage_vectors"),
)


@dataclass(frozen=True)
class Scope:
    """`schemas` as they were asked for; none means all but the internal ones, with everything that is in no schema."""

    schemas: Sequence[str] = ()

    @property
    def is_whole(self) -> bool:
        return not self.schemas

    def is_full(self, schema: str) -> bool:
        """Whether everything in it is compared."""
        if self.schemas:
            return schema in self.schemas and schema not in MANAGED
        return schema not in MANAGED and not any(fnmatchcase(schema, pattern) for pattern in INTERNAL)

    def is_partial(self, schema: str) -> bool:
        """Whether its policies and triggers are."""
        return schema in MANAGED and (self.is_whole or schema in self.schemas)
