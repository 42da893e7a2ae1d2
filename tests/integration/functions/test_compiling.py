"""How the files of a function are compiled: as the deno.json beside it says."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.integration.functions.conftest import Project

RUNTIME = "export const jsx = (name: string, given: unknown) => [name, given]; export const jsxs = jsx;"
VIEW = 'export const view = () => <p class="a">hi</p>;'
FACTORY = "const make = (...given: unknown[]) => given;\n"


@pytest.mark.parametrize(
    ("options", "view", "shown"),
    [
        ({"jsx": "react-jsx", "jsxImportSource": "own"}, VIEW, ["p", {"class": "a", "children": "hi"}]),
        ({"jsx": "react-jsx", "jsxImportSource": "./own"}, VIEW, ["p", {"class": "a", "children": "hi"}]),
        ({"jsx": "react", "jsxFactory": "make"}, FACTORY + VIEW, ["p", {"class": "a"}, "hi"]),
    ],
)
async def test_jsx_is_compiled_as_the_functions_deno_json_says(
    project: Project, options: Mapping[str, str], view: str, shown: object
) -> None:
    imports = {"own/jsx-runtime": "./own.ts", "./own/jsx-runtime": "./own.ts"}
    project.write("tick/deno.json", json.dumps({"imports": imports, "compilerOptions": {**options, "strict": True}}))
    project.write("tick/own.ts", RUNTIME)
    project.write("tick/view.tsx", view)
    project.write("tick/index.ts", 'import { view } from "./view.tsx"; Deno.serve(() => Response.json(view()));')
    assert (await project.call("tick")).json() == shown


async def test_decorators_are_those_of_typescript_where_the_functions_deno_json_says_so(project: Project) -> None:
    project.write("tick/deno.json", '{ "compilerOptions": { "experimentalDecorators": true } } // as TypeORM has it')
    project.write(
        "tick/index.ts",
        """const told: unknown[] = [];
function noted(_: object, name: string) { told.push(name); }
class Car { @noted start() {} }
Deno.serve(() => Response.json([told, typeof Car]));""",
    )
    assert (await project.call("tick")).json() == [["start"], "function"]
