"""What a function finds beside its own code: the names of the reference's runtime, no others of Deno that keep data."""

from __future__ import annotations

from tests.integration.functions.conftest import Project

ASKING = """
const said = async (work: () => unknown) => await Promise.resolve().then(work).catch((error) => String(error));
Deno.serve(async () => Response.json({
  cache: await said(() => caches.open("mine")),
  has: await said(() => caches.has("mine")),
  gone: await said(() => caches.delete("mine")),
  kind: Object.prototype.toString.call(caches),
  storage: [typeof localStorage, typeof sessionStorage, typeof Storage],
}));
"""
REFUSED = "Error: Web Cache is not available in this context"


async def test_the_web_cache_is_there_and_refuses_and_nothing_is_kept_as_in_a_browser(project: Project) -> None:
    project.write("open/index.ts", ASKING)
    assert (await project.call("open")).json() == {
        "cache": REFUSED,
        "has": REFUSED,
        "gone": REFUSED,
        "kind": "[object CacheStorage]",
        "storage": ["undefined", "undefined", "undefined"],
    }
