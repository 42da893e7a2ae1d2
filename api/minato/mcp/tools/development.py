"""What a client is made with: the address, the public keys and the types."""

from __future__ import annotations

from typing import Final

from minato.mcp.place import Place
from minato.mcp.tool import Input, Tool


async def get_project_url(place: Place, given: Input) -> object:
    return {"url": place.backend.public_url}


async def get_publishable_keys(place: Place, given: Input) -> object:
    keys = place.backend.api_keys
    return {
        "keys": [
            {"api_key": keys.anon, "name": "anon", "type": "legacy", "disabled": False},
            {"api_key": keys.publishable, "name": "default", "type": "publishable", "disabled": False},
        ]
    }


async def get_anon_key(place: Place, given: Input) -> object:
    return {"api_key": place.backend.api_keys.anon}


async def generate_typescript_types(place: Place, given: Input) -> object:
    schemas = list(dict.fromkeys(["public", *place.backend.settings.rest.schemas]))
    return {"types": await place.in_session(lambda connection: place.bench.types(connection, schemas))}


TOOLS: Final = (
    Tool("get_project_url", "Get project URL", "Gets the URL that clients are made with.", Input, get_project_url),
    Tool(
        "get_publishable_keys",
        "Get publishable keys",
        "Gets the keys that a page may hold: the publishable one, and the legacy anon key.",
        Input,
        get_publishable_keys,
    ),
    Tool("get_anon_key", "Get anon key", "Gets the legacy anon key.", Input, get_anon_key),
    Tool(
        "generate_typescript_types",
        "Generate TypeScript types",
        "Generates the types of the schemas that the API shows, as `minato gen types` does.",
        Input,
        generate_typescript_types,
    ),
)
