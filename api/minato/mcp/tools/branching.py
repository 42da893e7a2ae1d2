"""Branches and snapshots: a whole backend to try something in, and a situation to come back to."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from minato.json_text import JsonObject
from minato.mcp.place import Place, ToolError
from minato.mcp.tool import Input, Tool

_BRANCHES, _SNAPSHOTS = "/_dev/v1/branches", "/_dev/v1/snapshots"


class NewBranch(Input):
    name: str = Field("develop", description="The name of the branch, which is its id: a-z, 0-9 and -")
    source: str = Field("base", alias="from", description='"base" (migrations and seeds), "main" or "snapshot:<name>"')


class Chosen(Input):
    branch_id: str = Field(description="The id of the branch")


class Reset(Chosen):
    to: str | None = Field(None, description='Another source, as "snapshot:<name>"')
    migration_version: str | None = Field(None, description="Not supported: reset goes to all migrations")


class NewSnapshot(Input):
    name: str = Field(description="What to call it: a-z, 0-9 and -")
    replace: bool = Field(False, description="Take the place of one that is called so")


def _told(branch: JsonObject) -> dict[str, object]:
    """The reference's shape, with what ours has beside; no key and no secret."""
    return {
        "id": branch["id"],
        "name": branch["id"],
        "project_ref": branch["id"],
        "parent_project_ref": "main",
        "is_default": False,
        "persistent": branch["ttl"] == 0,
        "status": "FUNCTIONS_DEPLOYED",
        "created_at": branch["created_at"],
        "updated_at": branch["created_at"],
        "url": branch["url"],
        "from": branch["from"],
        "expires_at": branch["expires_at"],
    }


async def create_branch(place: Place, given: NewBranch) -> object:
    asked = {"id": given.name, "from": given.source, "label": "made by an assistant"}
    return _told(await place.told("POST", _BRANCHES, asked, of_host=True))


async def list_branches(place: Place, given: Input) -> object:
    told = await place.told("GET", _BRANCHES, of_host=True)
    return {"branches": [_told(each) for each in told["branches"]]}


async def delete_branch(place: Place, given: Chosen) -> object:
    await place.told("DELETE", f"{_BRANCHES}/{_id(given.branch_id)}", of_host=True)
    return {"success": True}


async def reset_branch(place: Place, given: Reset) -> object:
    if given.migration_version is not None:
        raise ToolError("A branch is reset to all migrations; to one of them it can't be.")
    asked = {"to": given.to} if given.to is not None else {}
    await place.told("POST", f"{_BRANCHES}/{_id(given.branch_id)}/reset", asked, of_host=True)
    return {"success": True}


async def save_snapshot(place: Place, given: NewSnapshot) -> object:
    asked = {"name": given.name, "of": place.branch or "main", "replace": given.replace}
    return await place.told("POST", _SNAPSHOTS, asked, of_host=True)


async def list_snapshots(place: Place, given: Input) -> object:
    return await place.told("GET", _SNAPSHOTS, of_host=True)


def _id(given: str) -> str:
    if not given.replace("-", "").isalnum() or not given.isascii():
        raise ToolError(f'"{given[:60]}" cannot be the id of a branch')
    return given


TOOLS: Final = (
    Tool(
        "create_branch",
        "Create branch",
        "Makes a backend of its own, with all migrations and seeds or from another source. Give its project_ref as "
        "project_id to other tools. It goes fifteen minutes after its last use.",
        NewBranch,
        create_branch,
        reads=False,
    ),
    Tool("list_branches", "List branches", "Lists the branches.", Input, list_branches),
    Tool("delete_branch", "Delete branch", "Deletes a branch.", Chosen, delete_branch, reads=False, destroys=True),
    Tool(
        "reset_branch",
        "Reset branch",
        "Begins a branch anew, from where it came or from another source. What was done in it is lost.",
        Reset,
        reset_branch,
        reads=False,
        destroys=True,
    ),
    Tool(
        "save_snapshot",
        "Save snapshot",
        "Keeps main, or the branch of project_id, as it is now under a name.",
        NewSnapshot,
        save_snapshot,
        reads=False,
    ),
    Tool("list_snapshots", "List snapshots", "Lists the snapshots.", Input, list_snapshots),
)
