"""`functions new`: the files that a function begins with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import typer

from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.plan import say
from minato.cli.published import CLI_KEYS
from minato.project.config_document import TOML
from minato.project.config_file import ProjectConfig
from minato.project.workdir import Workdir

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_INVALID: Final = (
    "Invalid Function name. Must start with at least one letter, and only include alphanumeric characters, "
    "underscores, and hyphens. (^[A-Za-z][A-Za-z0-9_-]*$)"
)
_PACKAGES: Final = """{
  "imports": {
    "@supabase/functions-js": "jsr:@supabase/functions-js@^2",
    "@supabase/server": "npm:@supabase/server@^1"
  }
}
"""
_REGISTRIES: Final = "# Registries of private npm packages that this function imports\n"
# Whom the function lets in, what it greets, and the headers of a call to it.
_INDEX: Final = """import "@supabase/functions-js/edge-runtime.d.ts"
import {{ withSupabase }} from "@supabase/server"

// {who}
export default {{
  fetch: withSupabase({{ auth: {auth} }}, async (req, ctx) => {{
    {name}
    return Response.json({{ message: `Hello ${{name}}!` }})
  }}),
}}

/* To call it locally:

  curl -i --request POST '{url}' \\
{headers}    --header 'Content-Type: application/json' --data '{{"name":"Functions"}}'

*/
"""
_FROM_BODY: Final = "const { name } = await req.json()"
_KINDS: Final = {
    "none": ("Anybody may call it, without a key.", '"none"', _FROM_BODY, ()),
    "apikey": ("A publishable or a secret key is asked for.", '["publishable", "secret"]', _FROM_BODY, ("apikey",)),
    "user": ("Somebody signed in is asked for.", '"user"', "const name = ctx.userClaims?.email", ("apikey", "user")),
}


def new_function(workdir: Workdir, config: ProjectConfig, name: str, auth: str) -> None:
    """Write `supabase/functions/NAME` and the section in config.toml. Raises `CommandFailure`."""
    folder = function_folder(workdir, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_entrypoint(folder / "index.ts", _index(config, name, auth))
        map_of_it = {"import_map": f"./functions/{name}/deno.json"}
        declare(workdir, config, name, verify_jwt=auth == "user", entrypoint="index.ts", more=map_of_it)
        (folder / "deno.json").write_text(_PACKAGES, encoding="utf-8")
        (folder / ".npmrc").write_text(_REGISTRIES, encoding="utf-8")
    except OSError as error:
        raise CommandFailure(f"failed to create {error.filename}: {error.strerror}") from None
    typer.echo(f"Created new Function at {bold(f'supabase/functions/{name}')}")


def function_folder(workdir: Workdir, name: str) -> Path:
    """Where a function of this name begins. Raises `CommandFailure`."""
    if not _NAME.fullmatch(name):
        raise CommandFailure(_INVALID)
    return workdir.supabase / "functions" / name


def _index(config: ProjectConfig, name: str, auth: str) -> str:
    who, keys, greeted, wanted = _KINDS[auth]
    key = config.text("auth.publishable_key") or CLI_KEYS["MINATO_PUBLISHABLE_KEY"]
    headers = {"apikey": f"apikey: {key}", "user": "Authorization: Bearer <the user's access token>"}
    lines = "".join(f"    --header '{headers[each]}' \\\n" for each in wanted)
    url = f"http://127.0.0.1:{config.number('api.port')}/functions/v1/{name}"
    return _INDEX.format(who=who, auth=keys, name=greeted, url=url, headers=lines)


def write_entrypoint(path: Path, text: str) -> None:
    """Never over a file that is there."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        shown = f"supabase/functions/{path.parent.name}/{path.name}"
        raise CommandFailure(f"failed to create entrypoint: open {shown}: file exists") from None


def _shown(workdir: Workdir) -> str:
    return f"supabase/{workdir.config_file.name}"


def declare(
    workdir: Workdir,
    config: ProjectConfig,
    name: str,
    *,
    verify_jwt: bool,
    entrypoint: str,
    more: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write its section of config.toml, unless there is one."""
    if name.lower() in {slug.lower() for slug in config.below("functions")}:
        say(f"[functions.{name}] is already declared in {bold(_shown(workdir))}")
        return
    if workdir.config_file.name != TOML:
        # Nobody's comments are lost, and nothing is written that is no JSON.
        say(f'Add "{name}": {{"verify_jwt": {str(verify_jwt).lower()}}} to functions in {bold(_shown(workdir))}')
        return
    with workdir.config_file.open("a", encoding="utf-8") as file:
        file.write(
            f"\n[functions.{name}]\n"
            "enabled = true\n"
            f"verify_jwt = {str(verify_jwt).lower()}\n"
            + "".join(f'{key} = "{value}"\n' for key, value in more.items())
            + f'entrypoint = "./functions/{name}/{entrypoint}"\n'
        )
