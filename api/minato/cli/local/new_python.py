"""`functions new --python`: the file that a function in Python begins with."""

from __future__ import annotations

from typing import Final

import typer

from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.functions import declare, function_folder, write_entrypoint
from minato.cli.published import CLI_KEYS
from minato.project.config_file import ProjectConfig
from minato.project.workdir import Workdir

_HANDLER: Final = """\"\"\"{who} To call it locally:

curl -i --request POST '{url}' \\\\
{headers}  --header 'Content-Type: application/json' --data '{{"name":"Functions"}}'
\"\"\"

{imports}from starlette.requests import Request
from starlette.responses import JSONResponse, Response


async def handle(request: Request) -> Response:
{body}"""
_GREETING: Final = """    given = await request.json()
    return JSONResponse({"message": f"Hello {given['name']}!"})
"""
_USER: Final = """\
    who = {"authorization": request.headers["authorization"], "apikey": os.environ["SUPABASE_ANON_KEY"]}
    async with httpx.AsyncClient(headers=who) as client:
        user = await client.get(f"{os.environ['SUPABASE_URL']}/auth/v1/user")
    if user.status_code != 200:
        return JSONResponse({"msg": "Nobody is signed in."}, 401)
    return JSONResponse({"message": f"Hello {user.json()['email']}!"})
"""
_KINDS: Final = {
    "none": ("Anybody may call it, without a key.", "", _GREETING),
    "apikey": ("Who has a key of the project may call it.", "apikey: {key}", _GREETING),
    "user": ("Who is signed in may call it.", "Authorization: Bearer <the user's access token>", _USER),
}


def new_python_function(workdir: Workdir, config: ProjectConfig, name: str, auth: str) -> None:
    """Write `supabase/functions/NAME/main.py` and the section in config.toml. Raises `CommandFailure`."""
    folder = function_folder(workdir, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_entrypoint(folder / "main.py", _main(config, name, auth))
        declare(workdir, config, name, verify_jwt=auth != "none", entrypoint="main.py")
    except OSError as error:
        raise CommandFailure(f"failed to create {error.filename}: {error.strerror}") from None
    typer.echo(f"Created new Function at {bold(f'supabase/functions/{name}')}")


def _main(config: ProjectConfig, name: str, auth: str) -> str:
    who, wanted, body = _KINDS[auth]
    key = config.text("auth.publishable_key") or CLI_KEYS["MINATO_PUBLISHABLE_KEY"]
    header = f"  --header '{wanted.format(key=key)}' \\\\\n" if wanted else ""
    url = f"http://127.0.0.1:{config.number('api.port')}/functions/v1/{name}"
    imports = "import os\n\nimport httpx\n" if auth == "user" else ""
    return _HANDLER.format(who=who, url=url, headers=header, imports=imports, body=body)
