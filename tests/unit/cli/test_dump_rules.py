"""What of a dump is rewritten, checked against sed where there is one rule to it."""

from __future__ import annotations

import pytest
from minato.cli.db_tools.dump_rules import INTERNAL_SCHEMAS, data_rules, role_rules, schema_rules


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ('CREATE SCHEMA "shop";', 'CREATE SCHEMA IF NOT EXISTS "shop";'),
        ('CREATE TABLE "shop"."cars" (', 'CREATE TABLE IF NOT EXISTS "shop"."cars" ('),
        ('CREATE SEQUENCE "a"."b"', 'CREATE SEQUENCE IF NOT EXISTS "a"."b"'),
        ('CREATE VIEW "a"."b" AS', 'CREATE OR REPLACE VIEW "a"."b" AS'),
        ('CREATE FUNCTION "a"."b"() RETURNS "int"', 'CREATE OR REPLACE FUNCTION "a"."b"() RETURNS "int"'),
        ('CREATE TRIGGER "t" BEFORE', 'CREATE OR REPLACE TRIGGER "t" BEFORE'),
        ('CREATE PUBLICATION "supabase_realtime" WITH', '-- CREATE PUBLICATION "supabase_realtime" WITH'),
        ('ALTER PUBLICATION "supabase_realtime" ADD TABLE', 'ALTER PUBLICATION "supabase_realtime" ADD TABLE'),
        ('CREATE EVENT TRIGGER "e" ON ddl', '-- CREATE EVENT TRIGGER "e" ON ddl'),
        ('   EXECUTE FUNCTION "a"."b"();', '--    EXECUTE FUNCTION "a"."b"();'),
        (
            'ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin" IN',
            '-- ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin" IN',
        ),
        ('ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN', 'ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN'),
        ('GRANT USAGE ON SCHEMA "auth" TO "anon";', '-- GRANT USAGE ON SCHEMA "auth" TO "anon";'),
        ('GRANT USAGE ON SCHEMA "authors" TO "anon";', 'GRANT USAGE ON SCHEMA "authors" TO "anon";'),
        (
            'CREATE EXTENSION IF NOT EXISTS "pgmq" WITH SCHEMA "pgmq";',
            'CREATE EXTENSION IF NOT EXISTS "pgmq";',
        ),
        ("COMMENT ON EXTENSION \"x\" IS 'y';", "-- COMMENT ON EXTENSION \"x\" IS 'y';"),
        ("SET transaction_timeout = 0;", "-- SET transaction_timeout = 0;"),
        (r"\restrict abc", r"-- \restrict abc"),
        ('    CREATE TABLE "in a body"', '    CREATE TABLE "in a body"'),
    ],
)
def test_definitions_are_rewritten(line: str, becomes: str) -> None:
    assert list(schema_rules(INTERNAL_SCHEMAS, keep_comments=True).applied([line + "\n"])) == [becomes + "\n"]
    kept = list(schema_rules(INTERNAL_SCHEMAS, keep_comments=False).applied([line + "\n"]))
    assert kept == ([] if becomes.startswith("--") else [becomes + "\n"])


def test_rows_are_left_as_they_are() -> None:
    rows = ["-- part of a text\n", 'CREATE TABLE "x"\n', "\n", "a\rb\r\n", "\\unrestrict abc\n"]
    assert list(data_rules().applied(rows)) == [*rows[:4], "-- \\unrestrict abc\n"]


def test_the_platforms_roles_are_left_out_but_for_what_may_be_set() -> None:
    lines = [
        'CREATE ROLE "anon";\n',
        'ALTER ROLE "anon" WITH NOSUPERUSER INHERIT;\n',
        'ALTER ROLE "anon" SET "statement_timeout" TO \'3s\';\n',
        'ALTER ROLE "anon" SET "search_path" TO \'x\';\n',
        'CREATE ROLE "helper";\n',
        'ALTER ROLE "helper" WITH NOSUPERUSER INHERIT NOREPLICATION;\n',
        'GRANT "anon" TO "authenticator";\n',
        'GRANT "helper" TO "mine";\n',
        "\n",
        "\n",
    ]
    assert list(role_rules(keep_comments=False).applied(lines)) == [
        'ALTER ROLE "anon" SET "statement_timeout" TO \'3s\';\n',
        'CREATE ROLE "helper";\n',
        'ALTER ROLE "helper" WITH INHERIT;\n',
        'GRANT "helper" TO "mine";\n',
        "\n",
    ]
