"""Run the SQL file that lies beside a revision, as it stands: many statements, sent by psycopg2 in one go."""

from pathlib import Path

from alembic import op


def run_sql(revision_file: str, *, lock_timeout: str, role: str | None = None) -> None:
    """Execute `<revision_file's stem>.sql` in the revision's transaction.

    `lock_timeout` makes a revision give up instead of queueing behind a long transaction, with everybody else
    behind it. `role` runs the file as that role, so what it creates is owned like a user's own schema.
    """
    cursor = op.get_bind().connection.cursor()
    cursor.execute("select set_config('lock_timeout', %s, true)", (lock_timeout,))
    cursor.execute("select set_config('role', %s, true)", (role or "none",))
    cursor.execute(Path(revision_file).with_suffix(".sql").read_text(encoding="utf-8"))
    # Alembic notes the revision as the migrating role
    cursor.execute("select set_config('role', 'none', true)")
    cursor.close()
