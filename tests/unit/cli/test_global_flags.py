"""The Supabase CLI's global flags: taken wherever that CLI takes them, and never out of what is somebody else's."""

from __future__ import annotations

import pytest
from minato import __version__
from minato.cli.app import app
from minato.cli.local.global_flags import without_global_flags
from typer.testing import CliRunner


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("start --debug --yes --experimental --create-ticket", "start"),
        ("--debug --yes=true start --debug=false", "start"),
        ("--network-id mine --profile supabase start --dns-resolver https --agent=no", "start"),
        ("--workdir shop start -x studio", "start -x studio --workdir shop"),
        ("start --workdir=shop --port 0", "start --port 0 --workdir shop"),
        ("-o env status --override-name api.url=URL", "status --override-name api.url=URL -o env"),
        ("--output=json stop --all", "stop --all"),
        ("exec --debug --fresh npm test --debug", "exec --fresh npm test --debug"),
        ("--workdir shop exec -- npm --debug", "exec --workdir shop -- npm --debug"),
        ("db reset --yes", "db reset"),
        ("db --yes push --workdir shop -o json", "db push"),
        ("db query -o csv select", "db query select -o csv"),
        ("migration --debug up --include-all", "migration up --include-all"),
        ("--debug db psql --yes", "db psql --yes"),
        # No command of ours may work in another folder than the one that was named.
        ("--workdir shop db migrate", "--workdir shop db migrate"),
        ("--version", "--version"),
        ("", ""),
    ],
)
def test_a_command_gets_what_it_reads(given: str, read: str) -> None:
    assert without_global_flags(given.split()) == read.split()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("start --profile", "flag needs an argument: --profile"),
        ("status -o", "flag needs an argument: 'o' in -o"),
        ("--agent=maybe start", 'invalid argument "maybe" for "--agent" flag: must be one of [yes no auto]'),
    ],
)
def test_a_flag_without_a_value_is_refused_in_the_clis_words(given: str, sentence: str) -> None:
    refused = CliRunner().invoke(app, given.split())
    assert refused.exit_code == 1
    assert refused.stderr == f"minato: {sentence}\n"


@pytest.mark.parametrize("flag", ["-v", "--version"])
def test_the_version_is_printed_bare(flag: str) -> None:
    shown = CliRunner().invoke(app, [flag])
    assert (shown.exit_code, shown.stdout) == (0, f"{__version__}\n")
