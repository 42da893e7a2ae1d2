"""The settings the embedded server starts with: small, quiet, ready for realtime, and durable unless told otherwise."""

from __future__ import annotations

from pathlib import Path

from minato.postgres.layout import Layout

# Control files of extensions that projects ask for and the wheel lacks; see share/extension/.
SHARE = Path(__file__).parent / "share"

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    # Realtime reads changes by logical decoding, a slot per backend.
    "wal_level": "logical",
    # As in the reference's local database; plans tell it.
    "effective_cache_size": "128MB",
    # As pg_stat_statements makes it on a hosted project: EXPLAIN shows the query identifier.
    "compute_query_id": "on",
    "max_replication_slots": "32",
    "max_wal_senders": "32",
    "max_connections": "200",
    # A replication slot nobody reads must not fill the disk.
    "max_slot_wal_keep_size": "1GB",
    "max_wal_size": "1GB",
    "shared_buffers": "128MB",
    "max_logical_replication_workers": "0",
    # Hosted projects run in UTC.
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "log_checkpoints": "off",
    # Who asks is told what is wrong with a statement. Logged, it would let strangers fill the disk, and leave what
    # people wrote in a file: neither refused statements nor the messages about them, which quote values.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_line_prefix": "%m [%p] ",
}

# For tests: as fast as memory, and lost with the machine's power. Commits stay synchronous: logical decoding reads only
# what was written, and an asynchronous commit would wait for the WAL writer's next round.
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off"}

# PostgreSQL 18: no worker processes for reading, which a local database never notices; a place for extensions.
SINCE_18 = {"io_method": "sync", "extension_control_path": f"$system:{SHARE}"}


def server_arguments(layout: Layout, socket_folder: Path, port: int, major_version: int, durable: bool) -> list[str]:
    """The command line of `postgres` after the program's name."""
    settings = {
        **SETTINGS,
        "port": str(port),
        "unix_socket_directories": str(socket_folder),
        "cluster_name": layout.tag,
        **({} if durable else NOT_DURABLE),
        **(SINCE_18 if major_version >= 18 else {}),
    }
    return ["-D", str(layout.cluster), *(part for pair in settings.items() for part in ("-c", "=".join(pair)))]
