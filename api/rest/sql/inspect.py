"""What of a schema a role may use, with its comments: the part of the root document that the cache doesn't hold."""

from __future__ import annotations

from api.rest.sql.statement import Statement

USABLE_TABLE = (
    "(has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')"
    " OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))"
)
USABLE_FUNCTION = "has_function_privilege(p.oid, 'EXECUTE')"
COLUMNS = """
  SELECT json_object_agg(a.attname, json_build_object(
    'comment', col_description(c.oid, a.attnum),
    'max', CASE WHEN a.atttypid IN (1042, 1043) AND a.atttypmod > 4 THEN a.atttypmod - 4
      WHEN a.atttypid IN (1560, 1562) AND a.atttypmod > 0 THEN a.atttypmod END,
    'enum', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)))
  FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
"""


def inspect_statement(schema: str, follows_privileges: bool) -> Statement:
    """`{comment, tables: {name: {comment, columns}}, functions: {name: comment}}` as the body."""
    usable, callable_ = (USABLE_TABLE, USABLE_FUNCTION) if follows_privileges else ("true", "true")
    tables = (
        f"SELECT json_object_agg(c.relname, json_build_object('comment', obj_description(c.oid, 'pg_class'), "
        f"'columns', ({COLUMNS}))) FROM pg_class c WHERE c.relnamespace = n.oid "
        f"AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND {usable}"
    )
    functions = (
        "SELECT json_object_agg(f.proname, f.comment) FROM (SELECT DISTINCT ON (p.proname) p.proname, "
        f"obj_description(p.oid, 'pg_proc') AS comment FROM pg_proc p WHERE p.pronamespace = n.oid AND {callable_} "
        "ORDER BY p.proname, p.oid) f"
    )
    seen = (
        "json_build_object('comment', obj_description(n.oid, 'pg_namespace'), "
        f"'tables', coalesce(({tables}), '{{}}'), 'functions', coalesce(({functions}), '{{}}'))"
    )
    text = (
        "SELECT NULL::int8, 1::int8, NULL::text, NULL::text, NULL::text, NULL::int8, "
        f"convert_to({seen}::text, 'UTF8') FROM pg_namespace n WHERE n.nspname = $1::text"
    )
    return Statement(text, (schema,))
