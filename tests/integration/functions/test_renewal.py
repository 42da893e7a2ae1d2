"""Settings that are read anew: what did not change goes on."""

from __future__ import annotations

from dataclasses import replace

from pydantic import SecretStr

from tests.integration.functions.conftest import Project


async def test_other_settings_begin_functions_anew_and_the_same_do_not(project: Project) -> None:
    project.write("open/index.ts", "Deno.serve(() => Response.json([Deno.pid, Deno.env.get('WORD')]))")
    settings = project.minato.backend.settings
    (first, none) = (await project.call("open")).json()
    project.room.renew(settings)
    assert (await project.call("open")).json() == [first, none]
    told = settings.functions.model_copy(update={"secrets": {"WORD": SecretStr("new")}})
    project.room.renew(replace(settings, functions=told))
    second, word = (await project.call("open")).json()
    assert (second != first, word) == (True, "new")
    project.room.renew(settings)
