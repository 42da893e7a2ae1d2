"""What `status` prints, in each of its formats."""

from __future__ import annotations

from dataclasses import replace

import pytest
from minato.cli.local.data_folder import State
from minato.cli.local.execute import SECRETS, variables
from minato.cli.local.formats import render
from minato.cli.local.pretty import render_boxes
from minato.cli.local.values import NAMES, named, parse_overrides, running_values, stopped_containers

VALUES = {"B_URL": "http://a/?x=1&y=2", "A": 'say "$x" \\ `!', "N": "54321"}


def test_env_is_sorted_quoted_and_escaped() -> None:
    assert render(VALUES, "env") == ('A="say \\"\\$x\\" \\\\ \\`\\!"\nB_URL="http://a/?x=1&y=2"\nN=54321\n')


def test_overridden_names_are_upper_case_in_env_alone() -> None:
    values = named({"api.url": "u"}, parse_overrides(["api.url=next.public_x"]))
    assert render(values, "env") == 'NEXT_PUBLIC_X="u"\n'
    assert render(values, "json") == '{\n  "next.public_x": "u"\n}\n'
    assert render(values, "toml") == '"next.public_x" = "u"\n'


def test_json_escapes_what_html_would_read() -> None:
    assert '"http://a/?x=1\\u0026y=2"' in render(VALUES, "json")


def test_yaml_quotes_what_it_would_read_otherwise() -> None:
    assert render({"A": "http://127.0.0.1:1/x", "B": "true", "C": "1.5", "D": "a: b"}, "yaml") == (
        'A: http://127.0.0.1:1/x\nB: "true"\nC: "1.5"\nD: "a: b"\n'
    )


def test_an_override_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="must be formatted as key=value"):
        parse_overrides(["api.url"])


def test_values_of_services_that_do_not_run_are_left_out() -> None:
    everything = {key: key for key in NAMES}
    assert list(running_values(everything, frozenset())) == ["db.url"]
    of_gateway = {"api.url", "api.rest_url", "api.mcp_url"}
    assert set(running_values(everything, frozenset({"kong", "rest"}))) == {*of_gateway, "db.url"}
    assert "supabase_auth_p" in stopped_containers("p", frozenset({"kong"}))


def test_each_group_with_a_value_has_a_box() -> None:
    assert render_boxes({"db.url": "postgresql://x", "studio.url": ""}, coloured=False) == (
        "╭──────────────────────╮\n"
        "│ ⛁ Database           │\n"
        "├─────┬────────────────┤\n"
        "│ URL │ postgresql://x │\n"
        "╰─────┴────────────────╯\n\n"
    )


def test_no_secret_gets_a_name_that_is_put_into_pages() -> None:
    state = State("p", "/", 1, dict.fromkeys(NAMES, "x"), {"url": "http://x"}, [])
    found = variables(state)
    assert found["SERVICE_ROLE_KEY"] == found["SUPABASE_SERVICE_ROLE_KEY"] == "x"
    assert found["NEXT_PUBLIC_SUPABASE_URL"] == found["VITE_ANON_KEY"] == "x"
    assert "MINATO_DEV_TOKEN" not in found
    token = {"MINATO_DEV_TOKEN": "a token of at least thirty-two characters"}
    assert token.items() <= variables(replace(state, settings=token)).items()
    assert [name for name in found if name.startswith("VITE_") and name.removeprefix("VITE_") in SECRETS] == []
