"""A file of SQL falls into the statements PostgreSQL would see, and every one knows its line."""

from __future__ import annotations

import pytest
from minato.places import MIGRATIONS
from minato.project.folder import Project
from minato.project.statements import split_statements


def texts(script: str) -> list[str]:
    return [statement.text for statement in split_statements(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        (" ; ;\n;", []),
        ("select 1", ["select 1"]),
        ("select 1;;select 2;", ["select 1", "select 2"]),
        ("select 'a;b', ';'';';select 2", ["select 'a;b', ';'';'", "select 2"]),
        ('select 1 as "a;""b";select 2', ['select 1 as "a;""b"', "select 2"]),
        (r"select E'it\'s;', 'c:\';select 2", [r"select E'it\'s;', 'c:\'", "select 2"]),
        ("do $$ begin; end $$; select $a$ $$; $a$;", ["do $$ begin; end $$", "select $a$ $$; $a$"]),
        ("select $1, a$b$ from t; select 2", ["select $1, a$b$ from t", "select 2"]),
        ("-- one;\nselect 1; -- two;\n", ["-- one;\nselect 1", "-- two;"]),
        ("/* a /* b; */ c; */ select 1; select 2", ["/* a /* b; */ c; */ select 1", "select 2"]),
        ("create rule r as on delete to t do (a; b); c", ["create rule r as on delete to t do (a; b)", "c"]),
        (r"select 1 \; select 2; select 3", [r"select 1 \; select 2", "select 3"]),
        ("only comments -- ;", ["only comments -- ;"]),
        ("select 'never closed; select 2", ["select 'never closed; select 2"]),
        ("begin; select 1; end; commit", ["begin", "select 1", "end", "commit"]),
    ],
)  # fmt: skip
def test_a_semicolon_ends_a_statement_only_where_postgresql_would_end_it(script: str, expected: list[str]) -> None:
    assert texts(script) == expected


def test_the_body_of_a_function_in_standard_sql_stays_whole() -> None:
    body = "create function f(a int) returns int BEGIN  ATOMIC select 1; select case a when 1 then 2 end; END"
    assert texts(f"{body}; select 3") == [body, "select 3"]


def test_a_statement_knows_the_line_it_begins_at() -> None:
    script = "select 1;\n\n  -- about the next\n  select\n  2;\nselect 3;"
    assert [(found.line, found.text[-1]) for found in split_statements(script)] == [(1, "1"), (3, "2"), (6, "3")]


def test_the_marketplaces_files_are_put_together_from_their_statements() -> None:
    for file in Project(MIGRATIONS / "marketplace").migrations():
        script = file.path.read_text()
        rest = script
        for statement in split_statements(script):
            assert statement.text in rest
            before, rest = rest.split(statement.text, 1)
            assert not before.strip(" ;\n")
        assert not rest.strip(" ;\n")
