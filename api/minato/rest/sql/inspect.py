"""The statement behind the root document: what the caller may use of a schema, and what was said of it."""

from __future__ import annotations

from minato.rest.schema_cache.queries import BASE_TYPES
from minato.rest.sql.statement import Statement

USABLE_TABLE = (
    "(has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')"
    " OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))"
)
USABLE_FUNCTION = "has_function_privilege(p.oid, 'EXECUTE')"
# A type of the catalog, also below a domain, is told here without its length; any other the schema cache names.
COLUMNS = """
  SELECT json_object_agg(a.attname, json_build_object(
    'comment', col_description(c.oid, a.attnum),
    'type', CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN format_type(t.oid, NULL) END,
    'max', information_schema._pg_char_max_length(
      information_schema._pg_truetypid(a.*, own.*), information_schema._pg_truetypmod(a.*, own.*)),
    'enum', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)))
  FROM pg_attribute a
  JOIN pg_type own ON own.oid = a.atttypid
  LEFT JOIN base_types b ON b.oid = a.atttypid
  JOIN pg_type t ON t.oid = coalesce(b.base, a.atttypid)
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
"""


def inspect_statement(schema: str, follows_privileges: bool) -> Statement:
    """`{comment, tables: {name: {comment, columns}}, functions: {oid: {comment, types}}}` as the body.

    `types` are those of the arguments, told as the caller's search path has them.
    """
    usable, callable_ = (USABLE_TABLE, USABLE_FUNCTION) if follows_privileges else ("true", "true")
    tables = (
        f"SELECT json_object_agg(c.relname, json_build_object('comment', obj_description(c.oid, 'pg_class'), "
        f"'columns', ({COLUMNS}))) FROM pg_class c WHERE c.relnamespace = n.oid "
        f"AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND {usable}"
    )
    functions = (
        "SELECT json_object_agg(p.oid, json_build_object('comment', obj_description(p.oid, 'pg_proc'), 'types', "
        "(SELECT json_agg(format_type(a.type, NULL) ORDER BY a.position)"
        " FROM unnest(p.proargtypes) WITH ORDINALITY a(type, position)))) FROM pg_proc p "
        f"WHERE p.pronamespace = n.oid AND {callable_}"
    )
    seen = (
        "json_build_object('comment', obj_description(n.oid, 'pg_namespace'), "
        f"'tables', coalesce(({tables}), '{{}}'), 'functions', coalesce(({functions}), '{{}}'))"
    )
    text = (
        f"WITH {BASE_TYPES} SELECT NULL::int8, 1::int8, NULL::text, NULL::text, NULL::text, NULL::int8, "
        f"convert_to({seen}::text, 'UTF8') FROM pg_namespace n WHERE n.nspname = $1::text"
    )
    return Statement(text, (schema,))
