"""What of a backup is the project's, read from the headings of its entries."""

from __future__ import annotations

import pytest
from minato.cli.db_tools.backup_dump import Present, ProjectPart
from minato.cli.db_tools.backup_roles import read_roles

PRESENT = Present(
    frozenset({"postgres", "anon", "reporter"}), frozenset({"reporter"}), {"auth.users": frozenset({"id", "email"})}
)


def entry(name: str, kind: str, schema: str, text: str, owner: str = "postgres", data: bool = False) -> str:
    return f"--\n-- {'Data for ' * data}Name: {name}; Type: {kind}; Schema: {schema}; Owner: {owner}\n--\n\n{text}\n"


def left_of(text: str) -> str:
    """Without comments and empty lines."""
    kept = b"".join(ProjectPart(PRESENT).lines(text.encode().splitlines(keepends=True))).decode()
    return "".join(f"{line}\n" for line in kept.splitlines() if line and not line.startswith("--"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (entry("users", "TABLE", "auth", "CREATE TABLE auth.users ();"), ""),
        (entry("cars", "TABLE", "public", "CREATE TABLE public.cars ();"), "CREATE TABLE public.cars ();\n"),
        (entry("cars", "TABLE", "public", "a;\n", "postgres; Tablespace: fast"), "a;\n"),
        (entry("public", "SCHEMA", "-", "CREATE SCHEMA public;"), ""),
        (entry("pg_graphql", "EXTENSION", "-", "CREATE EXTENSION pg_graphql;"), ""),
        (entry("pg_trgm", "EXTENSION", "-", "CREATE EXTENSION pg_trgm;"), "CREATE EXTENSION pg_trgm;\n"),
        (entry("SCHEMA storage", "ACL", "-", "GRANT USAGE ON SCHEMA storage TO anon;"), ""),
        (entry("TABLE a", "ACL", "public", 'GRANT ALL ON TABLE "a" TO "anon";'), 'GRANT ALL ON TABLE "a" TO "anon";\n'),
        (entry("TABLE a", "ACL", "public", "GRANT ALL ON TABLE a TO gone WITH GRANT OPTION;"), ""),
        (
            entry("TABLE a", "ACL", "public", "REVOKE ALL ON TABLE a FROM PUBLIC;"),
            "REVOKE ALL ON TABLE a FROM PUBLIC;\n",
        ),
        (entry("TABLE a", "ACL", "public", "SET SESSION AUTHORIZATION anon;\nRESET SESSION AUTHORIZATION;"), ""),
        (entry("a", "TABLE", "public", "ALTER TABLE a OWNER TO reporter;"), "ALTER TABLE a OWNER TO reporter;\n"),
        (
            entry("a", "TABLE", "public", 'ALTER TABLE "a" OWNER TO "supabase_admin";'),
            'ALTER TABLE "a" OWNER TO postgres;\n',
        ),
        (
            entry("users", "TABLE DATA", "auth", 'COPY "auth"."users" ("no", "id") FROM stdin;\n1\ta\n\\.', data=True),
            'COPY "auth"."users" ("id") FROM stdin;\na\n\\.\n',
        ),
        (entry("users u", "TRIGGER", "auth", "CREATE TRIGGER u EXECUTE FUNCTION auth.f();"), ""),
        (
            entry("users u", "TRIGGER", "auth", 'CREATE TRIGGER u EXECUTE FUNCTION "public"."f"();'),
            'CREATE TRIGGER u EXECUTE FUNCTION "public"."f"();\n',
        ),
        ("\\connect template1\nSET a = 1;\n" + entry("a", "TABLE", "public", "a;"), ""),
        ("\\connect -reuse-previous=on \"dbname='postgres'\"\nSET a = 1;\n", "SET a = 1;\n"),
        ("DROP DATABASE postgres;\nCREATE ROLE anon;\n", ""),
    ],
)
def test_an_entry_is_kept_or_left_out_by_its_heading(text: str, kept: str) -> None:
    assert left_of(text) == kept


def test_rows_that_look_like_a_heading_are_rows() -> None:
    rows = "--\n-- Name: a; Type: TABLE; Schema: auth; Owner: b\n--\n\\\\connect x\n"
    text = entry("t", "TABLE DATA", "public", f"COPY t (a) FROM stdin;\n{rows}\\.", data=True)
    kept = b"".join(ProjectPart(PRESENT).lines(text.encode().splitlines(keepends=True))).decode()
    assert rows in kept


def test_roles_are_read_as_pg_dumpall_writes_them() -> None:
    text = (
        'CREATE ROLE "a b";\n'
        "ALTER ROLE \"a b\" WITH SUPERUSER INHERIT NOCREATEDB LOGIN REPLICATION CONNECTION LIMIT 3 PASSWORD 'md5x'"
        " VALID UNTIL '2030-01-01';\n"
        "CREATE ROLE x; DROP TABLE users;\n"
        'GRANT anon TO "a b" WITH ADMIN OPTION, INHERIT TRUE GRANTED BY supabase_admin;\n'
        "\\connect postgres\nCREATE ROLE late;\n"
    )
    roles = read_roles(text.encode().splitlines(keepends=True))
    assert roles.names == ["a b"]
    assert roles.attributes == {"a b": (["INHERIT", "LOGIN"], "md5x")}
    assert roles.members == [("anon", "a b")]
