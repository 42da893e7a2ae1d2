"""Packages of npm: what `functions cache` fetched once runs without a registry, at the versions that it chose."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.integration.functions.conftest import Project
from tests.support.local_project import LocalProject
from tests.support.npm_registry import Registry, npm_registry

MODULE = {"type": "module", "exports": "./index.js"}


@pytest.fixture
def registry() -> Iterator[Registry]:
    with npm_registry() as registry:
        yield registry


async def cache(project: Project, state: Path, *words: str, **settings: str) -> CompletedProcess[str]:
    """`minato functions cache WORDS` in the project's folder."""
    local = LocalProject(project.supabase.parent, state)
    return await asyncio.to_thread(local.minato, "functions", "cache", *words, **settings)


def serving(names: str, *imports: str) -> str:
    """A function that answers what it imported."""
    return "\n".join([*imports, f"Deno.serve(() => new Response([{names}].join(' ')));"])


def publish(registry: Registry, name: str, version: str, *needs: str, **manifest: object) -> None:
    """A package that says its name, its version, and what it needs."""
    imports = "".join(f"import n{at} from '{each.rpartition('@')[0]}';\n" for at, each in enumerate(needs))
    said = "".join(f" + '>' + n{at}" for at in range(len(needs)))
    dependencies = {each.rpartition("@")[0]: each.rpartition("@")[2] for each in needs}
    text = f"{imports}export default '{name}@{version}'{said};"
    files = {"index.js": text, "deep/er.js": f"export default '{name}/deep/er.js';"}
    exported = {".": "./index.js", "./deep/er": "./deep/er.js"}
    given = {"type": "module", "exports": exported, "dependencies": dependencies, **manifest}
    registry.publish(name, version, files, **given)


async def test_what_was_fetched_runs_when_the_registry_is_gone(project: Project, tmp_path: Path) -> None:
    project.write("npm_all/old.cjs", "module.exports = 'own';")
    project.write(
        "npm_all/index.ts",
        serving(
            "scoped, deep, common, esm, supabase, optional",
            'import scoped from "npm:@scope/top@^1";',
            'import deep from "npm:@scope/top@^1/deep/er";',
            'import common, { twice } from "npm:common@1";',
            'import esm from "https://esm.sh/leaf@1?target=deno";',
            'import supabase from "jsr:@supabase/supabase-js@2";',
            'import optional from "npm:has-optional@1";',
            'if (twice(2) !== 4) throw new Error("no number");',
        ),
    )
    with npm_registry() as registry:
        publish(registry, "leaf", "1.0.0")
        publish(registry, "middle", "1.0.0", "leaf@^1")
        publish(registry, "@scope/top", "1.2.0", "middle@1.x")
        publish(registry, "@supabase/supabase-js", "2.9.0")
        publish(registry, "other-system", "1.0.0", os=["aix"])
        publish(registry, "has-optional", "1.0.0", optionalDependencies={"other-system": "1", "leaf": "1"})
        common = "exports.twice = require('./twice.js'); exports.default = 'common@1.0.0';"
        common = "module.exports = { twice: require('./twice.js'), toString: () => 'common+' + require('helper') };"
        files = {"main.js": common, "twice.js": "module.exports = (n) => n * 2;"}
        registry.publish("common", "1.0.0", files, main="main.js", dependencies={"helper": "*"})
        registry.publish("helper", "3.0.0", {"index.js": "module.exports = 'helper';"})
        ended = await cache(project, tmp_path, "npm_all", NPM_CONFIG_REGISTRY=registry.url)
        assert (ended.returncode, ended.stdout) == (0, "Cached npm_all\n"), ended.stderr
    answer = await project.call("npm_all")
    told = "@scope/top@1.2.0>middle@1.0.0>leaf@1.0.0 @scope/top/deep/er.js common+helper leaf@1.0.0"
    assert answer.text == f"{told} @supabase/supabase-js@2.9.0 has-optional@1.0.0"


async def test_the_version_that_was_chosen_runs_though_another_function_fetched_a_newer(
    project: Project, registry: Registry, tmp_path: Path
) -> None:
    fetch = {"NPM_CONFIG_REGISTRY": registry.url}
    project.write("npm_old/index.ts", serving("top", 'import top from "npm:top@^1";'))
    project.write(
        "npm_new/index.ts", serving("leaf, top", 'import leaf from "npm:leaf@2";', 'import top from "npm:top";')
    )
    publish(registry, "leaf", "1.0.0")
    publish(registry, "top", "1.0.0", "leaf@^1")
    assert (await cache(project, tmp_path, "npm_old", **fetch)).returncode == 0
    publish(registry, "leaf", "1.1.0")
    publish(registry, "leaf", "2.0.0")
    publish(registry, "top", "1.1.0", "leaf@^1")
    assert (await cache(project, tmp_path, "npm_new", **fetch)).returncode == 0
    assert (await project.call("npm_old")).text == "top@1.0.0>leaf@1.0.0"
    assert (await project.call("npm_new")).text.startswith("leaf@2.0.0")
    # Asked again, it keeps them; asked to look for newer ones, it does.
    assert (await cache(project, tmp_path, "npm_old", **fetch)).returncode == 0
    project.write("npm_old/index.ts", serving("top", 'import top from "npm:top@^1"; // edited'))
    assert (await project.call("npm_old")).text == "top@1.0.0>leaf@1.0.0"
    assert (await cache(project, tmp_path, "npm_old", "--reload", **fetch)).returncode == 0
    project.write("npm_old/index.ts", serving("top", 'import top from "npm:top@^1"; // edited again'))
    assert (await project.call("npm_old")).text == "top@1.1.0>leaf@1.1.0"
    # An edit may import what lies there for another.
    project.write(
        "npm_old/index.ts", serving("top, leaf", 'import top from "npm:top@1";', 'import leaf from "npm:leaf@2";')
    )
    assert (await project.call("npm_old")).text == "top@1.1.0>leaf@1.1.0 leaf@2.0.0"


async def test_an_edit_that_imports_what_was_never_fetched_is_told_what_to_do(
    project: Project, registry: Registry, tmp_path: Path
) -> None:
    publish(registry, "known", "1.0.0")
    known, main = 'import known from "npm:known@1";', "if (import.meta.main) console.log(0);"
    project.write("npm_edited/index.ts", serving("known", known))
    assert (await cache(project, tmp_path, "npm_edited", NPM_CONFIG_REGISTRY=registry.url)).returncode == 0
    assert (await project.call("npm_edited")).text == "known@1.0.0"
    for more in ("", main):
        project.write("npm_edited/index.ts", serving("known", known, 'import "npm:never@1";', more))
        assert (await project.call("npm_edited")).json()["trace"].endswith("run minato functions cache.")


async def test_a_tarball_that_is_not_the_one_that_was_published_is_refused(
    project: Project, registry: Registry, tmp_path: Path
) -> None:
    publish(registry, "forged", "1.0.0")
    registry.tamper("forged", "1.0.0")
    project.write("npm_forged/index.ts", serving("it", 'import it from "npm:forged@1";'))
    ended = await cache(project, tmp_path, "npm_forged", NPM_CONFIG_REGISTRY=registry.url)
    assert ended.returncode == 1
    assert "checksum did not match" in ended.stderr
    answer = await project.call("npm_forged")
    assert (answer.status_code, answer.json()["code"]) == (503, "BOOT_ERROR")
    assert answer.json()["trace"].endswith("run minato functions cache.")


async def test_registries_of_scopes_are_those_of_the_npmrc_beside_the_function_and_its_token_stays_there(
    project: Project, registry: Registry, tmp_path: Path
) -> None:
    publish(registry, "@own/private", "1.0.0")
    host = registry.url.removeprefix("http:")
    other = "@other:registry=http://me:very-secret@127.0.0.1:9/"
    lines = [f"@own:registry={registry.url}", f"{host}/:_authToken=very-secret", other]
    project.write("npm_private/.npmrc", "\n".join(lines))
    project.write("npm_private/index.ts", serving("it", 'import it from "npm:@own/private@1";'))
    ended = await cache(project, tmp_path, "npm_private", NPM_CONFIG_REGISTRY="http://127.0.0.1:9")
    assert ended.returncode == 0, ended.stderr
    assert registry.tokens == {"Bearer very-secret"}
    assert (await project.call("npm_private")).text == "@own/private@1.0.0"
    kept = [file for file in (project.supabase / ".minato").rglob("*") if file.is_file()]
    assert not [file for file in kept if b"very-secret" in file.read_bytes()]


async def test_what_a_package_json_beside_the_function_names_is_fetched(
    project: Project, registry: Registry, tmp_path: Path
) -> None:
    publish(registry, "top", "1.0.0", "leaf@^1")
    publish(registry, "leaf", "1.5.0")
    publish(registry, "dev-only", "1.0.0")
    dependencies = {"top": "^1.0.0", "other-name": "npm:leaf@^1.2", "beside": "file:../beside", "newest": "latest"}
    publish(registry, "newest", "7.0.0")
    manifest = {"dependencies": dependencies, "devDependencies": {"dev-only": "*"}}
    project.write("npm_manifest/package.json", json.dumps(manifest))
    names = ("top", "other-name", "newest", "dev-only", "top/deep/er")
    imports = [f'import n{at} from "{name}";' for at, name in enumerate(names)]
    project.write("npm_manifest/index.ts", serving("n0, n1, n2, n3, n4", *imports))
    ended = await cache(project, tmp_path, "npm_manifest", NPM_CONFIG_REGISTRY=registry.url)
    assert ended.returncode == 0, ended.stderr
    told = "top@1.0.0>leaf@1.5.0 leaf@1.5.0 newest@7.0.0 dev-only@1.0.0 top/deep/er.js"
    assert (await project.call("npm_manifest")).text == told


async def test_a_node_modules_beside_the_package_json_serves_what_no_registry_has(
    project: Project, tmp_path: Path
) -> None:
    dependencies = {"plain": "^1", "@scope/local": "file:../local", "common": ">=1 <2"}
    project.write("npm_installed/package.json", json.dumps({"dependencies": dependencies}))
    for name, manifest, file, text in (
        ("plain", MODULE, "index.js", "import below from 'below'; export default 'plain>' + below;"),
        ("below", MODULE, "index.js", "export default 'below';"),
        ("@scope/local", MODULE, "index.js", "export default 'local';"),
        ("common", {"main": "./main.js"}, "main.js", "module.exports = 'common>' + require('./word');"),
        ("common", None, "word.js", "module.exports = 'word';"),
    ):
        folder = f"npm_installed/node_modules/{name}"
        project.write(f"{folder}/{file}", text)
        if manifest is not None:
            project.write(f"{folder}/package.json", json.dumps({"name": name, "version": "1.0.0", **manifest}))
    imports = ('import plain from "plain";', 'import local from "@scope/local";', 'import common from "common";')
    project.write("npm_installed/index.ts", serving("plain, local, common", *imports))
    assert (await cache(project, tmp_path, "npm_installed", NPM_CONFIG_REGISTRY="http://127.0.0.1:9")).returncode == 0
    assert (await project.call("npm_installed")).text == "plain>below local common>word"
