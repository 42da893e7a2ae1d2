"""Edge Functions: which there are, their files, and calling them. A deployment writes the project's own files."""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from pydantic import BaseModel, Field

from minato.functions.discovery import Function, Functions
from minato.functions.folders import functions_folder
from minato.mcp.place import Place, ToolError
from minato.mcp.tool import Input, Tool, untrusted
from minato.mcp.who import AS, token_of

_LARGEST: Final = 200_000
_TEXT: Final = frozenset(
    {".ts", ".tsx", ".js", ".jsx", ".mjs", ".json", ".jsonc", ".py", ".sql", ".md", ".txt", ".html"}
)


class Named(Input):
    function_slug: str = Field(description="The name of the function")


class File(BaseModel):
    name: str = Field(description="Its path below the function's folder; ../_shared/ for what several import")
    content: str


class Deployment(Input):
    name: str = Field(description="The name of the function")
    entrypoint_path: str = Field("index.ts", description="The file that answers")
    verify_jwt: bool = Field(True, description="Whether a valid JWT is wanted; config.toml has the last word")
    files: list[File] = Field(description="The files to write: the entrypoint, deno.json, and what they import")


class Invocation(Input):
    function_slug: str = Field(description="The name of the function, and what follows it in the path")
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    body: object = Field(None, description="Sent as JSON")
    who: str = Field("anon", alias="as", description=AS)


def _functions(place: Place) -> Functions:
    folder = functions_folder(place.backend.settings)
    if folder is None:
        raise ToolError("There is no project, so there are no functions.")
    return Functions(folder, place.backend.settings.functions)


def _found(place: Place, name: str) -> Function:
    functions = _functions(place)
    found = functions.find(name)
    if found is None:
        raise ToolError(f'There is no function "{name[:100]}". Known: {", ".join(functions.names()) or "none"}.')
    return found


def _told(function: Function) -> dict[str, object]:
    status = function.entrypoint.stat()
    return {
        "id": function.name,
        "slug": function.name,
        "name": function.name,
        "status": "ACTIVE",
        "version": 1,
        "updated_at": int(status.st_mtime * 1000),
        "verify_jwt": function.settings.verify_jwt,
        "import_map": function.map_file is not None,
        "entrypoint_path": _below(function.entrypoint, function.folder),
    }


def _below(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name


async def list_edge_functions(place: Place, given: Input) -> object:
    functions = _functions(place)

    def listed() -> list[dict[str, object]]:
        found = [functions.find(name) for name in functions.names()]
        return [_told(each) for each in found if each is not None]

    return {"functions": await asyncio.to_thread(listed)}


async def get_edge_function(place: Place, given: Named) -> object:
    function = _found(place, given.function_slug)
    return {**_told(function), "files": await asyncio.to_thread(_files, function)}


def _files(function: Function) -> list[dict[str, str]]:
    """The text files of its own folder; links lead elsewhere and are left out."""
    own = function.folder / function.name
    inside = [path for path in sorted(own.rglob("*")) if path.is_file() and not path.is_symlink()]
    shown, left = [], _LARGEST
    for path in inside:
        size = path.stat().st_size
        if path.suffix in _TEXT and "node_modules" not in path.parts and size <= left:
            shown.append({"name": _below(path, own), "content": path.read_text("utf-8", "replace")})
            left -= size
    return shown


async def deploy_edge_function(place: Place, given: Deployment) -> object:
    if place.branch is not None:
        raise ToolError("A branch runs the functions of the project: deploy without project_id.")
    functions = _functions(place)
    if functions.find(given.name) is None and not given.name.replace("-", "").replace("_", "").isalnum():
        raise ToolError("A function is called by letters, digits, - and _.")
    names = {file.name.removeprefix("./") for file in given.files}
    if given.entrypoint_path.removeprefix("./") not in names or given.entrypoint_path.split(":")[0] not in (
        "index.ts",
        "main.py",
    ):
        raise ToolError("The entrypoint is index.ts, or main.py, and one of the files.")
    targets = [(_target(functions.folder, given.name, file.name), file.content) for file in given.files]
    try:
        await asyncio.to_thread(_write, targets)
    except OSError as error:
        raise ToolError(f"The files can't be written: {error}") from None
    told = _told(_found(place, given.name))
    if told["verify_jwt"] is not given.verify_jwt:
        section = f"[functions.{given.name}] verify_jwt = {str(given.verify_jwt).lower()}"
        told["note"] = f"verify_jwt is what supabase/config.toml says; write there: {section}"
    return told


def _target(folder: Path, function: str, name: str) -> Path:
    """Where a file goes: within the function's folder or one that functions share. Raises ToolError."""
    root, path = folder.resolve(), PurePosixPath(name)
    target = (root / function / path).resolve()
    within = target.relative_to(root).parts if target.is_relative_to(root) else ()
    is_ours = len(within) > 1 and (within[0] == function or within[0].startswith("_"))
    if path.is_absolute() or "\0" in name or not is_ours:
        raise ToolError(f'"{name[:100]}" leads out of the function\'s folder.')
    return target


def _write(targets: list[tuple[Path, str]]) -> None:
    for path, content in targets:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


async def invoke_function(place: Place, given: Invocation) -> object:
    if ".." in given.function_slug:
        raise ToolError("A function's path has no dots.")
    key = place.backend.api_keys.anon
    token = await token_of(place, given.who) or key
    headers = {"apikey": key, "authorization": f"Bearer {token}"}
    answer = await place.ask(given.method, f"/functions/v1/{given.function_slug}", given.body, headers)
    told = {"content_type": answer.headers.get("content-type", ""), "body": answer.text}
    return {"status": answer.status_code, "result": untrusted("what the function answered", told)}


TOOLS: Final = (
    Tool("list_edge_functions", "List Edge Functions", "Lists the functions.", Input, list_edge_functions),
    Tool("get_edge_function", "Get Edge Function", "Gets the files of a function.", Named, get_edge_function),
    Tool(
        "deploy_edge_function",
        "Deploy Edge Function",
        "Writes a function's files into supabase/functions; it answers with them from the next request on.",
        Deployment,
        deploy_edge_function,
        reads=False,
        destroys=True,
    ),
    Tool(
        "invoke_function",
        "Invoke a function",
        "Calls a function and gives its answer, which may hold text of others.",
        Invocation,
        invoke_function,
        reads=False,
    ),
)
