"""What `status` tells: the CLI's values by their override keys, and under which names they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

# The services a value depends on; one that does not run takes its values with it.
NAMES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "api.url": ("API_URL", ("kong",)),
    "api.rest_url": ("REST_URL", ("kong", "rest")),
    "api.graphql_url": ("GRAPHQL_URL", ("kong", "rest", "graphql")),
    "api.functions_url": ("FUNCTIONS_URL", ("kong", "edge_runtime")),
    "api.mcp_url": ("MCP_URL", ("kong",)),
    "db.url": ("DB_URL", ()),
    "studio.url": ("STUDIO_URL", ("studio",)),
    "mailpit.url": ("MAILPIT_URL", ("inbucket",)),
    "inbucket.url": ("INBUCKET_URL", ("inbucket",)),
    "auth.publishable_key": ("PUBLISHABLE_KEY", ("auth",)),
    "auth.secret_key": ("SECRET_KEY", ("auth",)),
    "auth.jwt_secret": ("JWT_SECRET", ("auth",)),
    "auth.anon_key": ("ANON_KEY", ("auth",)),
    "auth.service_role_key": ("SERVICE_ROLE_KEY", ("auth",)),
    "api.storage_s3_url": ("STORAGE_S3_URL", ("kong", "storage", "s3")),
    "storage.s3_access_key_id": ("S3_PROTOCOL_ACCESS_KEY_ID", ("storage", "s3")),
    "storage.s3_secret_access_key": ("S3_PROTOCOL_ACCESS_KEY_SECRET", ("storage", "s3")),
    "storage.s3_region": ("S3_PROTOCOL_REGION", ("storage", "s3")),
}
# The containers of the reference, in the order in which it names stopped ones.
CONTAINERS: Final = (
    "kong",
    "auth",
    "inbucket",
    "realtime",
    "rest",
    "storage",
    "imgproxy",
    "pg_meta",
    "studio",
    "edge_runtime",
    "analytics",
    "vector",
    "pooler",
)


def running_values(all_values: Mapping[str, str], running: frozenset[str]) -> dict[str, str]:
    """The values whose services run, by key."""
    return {
        key: all_values[key] for key, (_, needs) in NAMES.items() if key in all_values and running.issuperset(needs)
    }


def stopped_containers(project_id: str, running: frozenset[str]) -> list[str]:
    """What the reference would call the containers that do not run."""
    return [f"supabase_{name}_{project_id}" for name in CONTAINERS if name not in running]


def named(values: Mapping[str, str], overrides: Mapping[str, str]) -> dict[str, str]:
    """The values by the names they are printed under."""
    return {overrides.get(key, NAMES[key][0]): value for key, value in values.items()}


def parse_overrides(given: Sequence[str]) -> dict[str, str]:
    """`key=NAME`, repeated or separated by commas. Raises ValueError for what is neither.

    >>> parse_overrides(["api.url=A,db.url=B", "auth.anon_key=C"])
    {'api.url': 'A', 'db.url': 'B', 'auth.anon_key': 'C'}
    """
    pairs = [part for text in given for part in text.split(",") if part]
    wrong = next((part for part in pairs if "=" not in part), None)
    if wrong is not None:
        raise ValueError(f"{wrong} must be formatted as key=value")
    return {key.strip(): name for key, _, name in (part.partition("=") for part in pairs)}
