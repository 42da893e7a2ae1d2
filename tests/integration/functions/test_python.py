"""Functions in Python: how they are written, what they are told, and what their process may."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from minato.cli.local.cache_python import install_requirements
from minato.functions.python.landlock import landlock_version
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.integration.functions.conftest import Project
from tests.support.waiting import PATIENCE, until

LIMIT = {
    "code": "WORKER_LIMIT",
    "message": "Worker failed to respond due to a resource limit (please check logs)",
}
HANDLER = """
from _shared.shape import SHAPE
from starlette.responses import JSONResponse

async def handle(request):
    if "throw" in request.query_params:
        raise ValueError("thrown on purpose")
    print("called", {"deep": [1]})
    return JSONResponse({
        "shape": SHAPE, "method": request.method, "url": str(request.url), "body": (await request.body()).decode(),
        "headers": dict(request.headers), "client": request.client.host,
    }, 201, {"x-own": "1", "connection": "x-hop", "x-hop": "1"})
"""


@pytest.fixture(scope="module", autouse=True)
def functions(project: Project) -> None:
    project.write("_shared/shape.py", "SHAPE = 'round'")
    project.write("py/main.py", HANDLER)
    project.write("py_closed/main.py", HANDLER)


async def test_a_handler_is_told_the_request_and_its_answer_comes_back(project: Project) -> None:
    answer = await project.call("py/deep/er?a=1&b=%20", json={"x": 1}, headers={"x-forwarded-for": "6.6.6.6"})
    assert answer.status_code == 201, answer.text
    assert answer.headers["x-own"] == "1"
    assert "x-hop" not in answer.headers
    told = answer.json()
    assert (told["shape"], told["method"], told["body"]) == ("round", "POST", '{"x":1}')
    assert told["url"] == f"{project.minato.url}/functions/v1/py/deep/er?a=1&b=%20"
    assert told["client"] == "127.0.0.1"
    assert told["headers"]["x-request-id"] == answer.headers["x-request-id"]
    assert not [name for name in told["headers"] if name.startswith("x-minato")]
    log = project.minato.backend.settings.server.data_dir / "functions" / "py.log"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (said,) = [line for line in lines if line["request_id"] == answer.headers["x-request-id"]]
    assert (said["level"], said["text"]) == ("info", "called {'deep': [1]}")
    led = project.minato.backend.journal.led_to(answer.headers["x-request-id"])
    # The first request warns of the settings beside it, too.
    assert [event.title for event in led if event.kind == "function"] == ["py: called {'deep': [1]}"]


async def test_an_application_of_fastapi_has_its_routes_below_the_functions_address(project: Project) -> None:
    project.write(
        "py_app/main.py",
        """import logging
from contextlib import asynccontextmanager
from fastapi import FastAPI, UploadFile
from fastapi.responses import StreamingResponse

begun = []
@asynccontextmanager
async def lifespan(app):
    begun.append(1)
    yield

app = FastAPI(lifespan=lifespan)

@app.get("/")
def root(): return {"begun": len(begun)}

@app.get("/cars/{id}", name="car")
def car(id: int): return {"id": id, "here": str(app.url_path_for("car", id=id))}

@app.post("/size")
async def size(file: UploadFile): return {"size": len(await file.read())}

@app.get("/fails")
def fails():
    logging.getLogger("shop").warning("on the way down")
    raise RuntimeError("deep within")

@app.get("/pieces")
def pieces(): return StreamingResponse(iter(["a", "b", "c"]))
""",
    )
    for path, told in (("py_app", {"begun": 1}), ("py_app/cars/7", {"id": 7, "here": "/cars/7"})):
        assert (await project.call(path, "GET")).json() == told
    assert (await project.call("py_app/cars/x", "GET")).status_code == 422
    assert (await project.call("py_app/none", "GET")).status_code == 404
    assert (await project.call("py_app/size", files={"file": ("a.bin", bytes(300_000))})).json() == {"size": 300_000}
    assert (await project.call("py_app/pieces", "GET")).text == "abc"
    schema = (await project.call("py_app/openapi.json", "GET")).json()
    assert schema["servers"] == [{"url": "/functions/v1/py_app"}]
    failed = await project.call("py_app/fails", "GET")
    assert (failed.status_code, failed.json()["code"]) == (500, "WORKER_ERROR")
    assert 'py_app/main.py", line 26, in fails' in failed.json()["trace"]
    log = project.minato.backend.settings.server.data_dir / "functions" / "py_app.log"
    said = [json.loads(line) for line in log.read_text().splitlines()]
    of_this = [(line["level"], line["text"]) for line in said if line["request_id"] == failed.headers["x-request-id"]]
    assert of_this[0] == ("warning", "on the way down")
    assert of_this[1][0] == "error"
    assert len(of_this) == 2


async def test_an_unhandled_error_is_answered_with_the_line_of_the_source(project: Project) -> None:
    answer = await project.call("py?throw")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
    trace = answer.json()["trace"]
    assert 'py/main.py", line 7, in handle' in trace
    assert trace.endswith("ValueError: thrown on purpose")
    assert "uvicorn" not in trace


async def test_who_has_no_good_token_is_refused_before_anything_starts(project: Project) -> None:
    answer = await project.ask("py_closed")
    assert (answer.status_code, answer.json()) == (401, {"msg": "Error: Missing authorization header"})
    assert project.slots("py_closed") == []
    assert (await project.call("py_closed")).status_code == 201


async def test_config_toml_names_the_file_and_what_answers_in_it(project: Project) -> None:
    project.write("py_named/inside/words.py", "WORD = b'from within'")
    project.write(
        "py_named/inside/start.py",
        """from inside.words import WORD
class Served:
    async def app(self, scope, receive, send):
        if scope["type"] != "http": raise NotImplementedError
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": WORD})
served = Served()
""",
    )
    assert (await project.call("py_named")).text == "from within"
    (project.supabase / "other").mkdir()
    (project.supabase / "other" / "start.py").write_text(
        "from starlette.responses import PlainTextResponse\n"
        "def answer(request): return PlainTextResponse('from elsewhere')"
    )
    assert (await project.call("py_path")).text == "from elsewhere"


@pytest.mark.skipif(landlock_version() == 0, reason="the kernel has no Landlock")
async def test_a_function_reads_its_own_files_writes_in_its_own_folder_and_starts_nothing(project: Project) -> None:
    secret = project.write("py_other/secret.json", "{}")
    project.write("py_spy/own.txt", "own")
    project.write("_shared/all.txt", "shared")
    data = project.minato.backend.settings.server.data_dir
    tries = {
        "own": "open(HERE / 'own.txt').read()",
        "shared": "open(HERE.parent / '_shared' / 'all.txt').read()",
        "temporary": "(Path(tempfile.gettempdir()) / 'x').write_text('x') and 'written'",
        "zone": "str(ZoneInfo('Europe/Berlin'))",
        "tls": "ssl.create_default_context() and 'made'",
        "other": f"open({str(secret)!r}).read()",
        "variables": "open(HERE.parent / '.env').read()",
        "passwd": "open('/etc/passwd').read()",
        "sockets": "open('/proc/net/unix').read()",
        "runtime": "os.listdir('/run')",
        "proc": "open(f'/proc/{os.getppid()}/environ').read()",
        "data": f"os.listdir({str(data)!r})",
        "beside": f"os.listdir({str(data / 'functions' / 'temporary')!r})",
        "write": "(HERE / 'own.txt').write_text('x')",
        "cut": "os.truncate(HERE / 'own.txt', 0)",
        "link": "os.symlink('/etc', Path(tempfile.gettempdir()) / 'etc')",
        "run": "subprocess.run(['/bin/true'], check=True)",
        "itself": "subprocess.run([sys.executable, '-c', ''], check=True)",
        "signal": "os.kill(os.getppid(), 0)",
    }
    lines = ",".join(f"{name!r}: lambda: {call}" for name, call in tries.items())
    project.write(
        "py_spy/main.py",
        f"""import os, ssl, subprocess, sys, tempfile
from pathlib import Path
from zoneinfo import ZoneInfo
from starlette.responses import JSONResponse
HERE = Path(__file__).parent
def told(attempt):
    try: return str(attempt())
    except OSError: return 'refused'
def handle(request): return JSONResponse({{name: told(attempt) for name, attempt in TRIES.items()}})
TRIES = {{ {lines} }}
""",
    )
    answer = await project.call("py_spy")
    allowed = {"own": "own", "shared": "shared", "temporary": "written", "zone": "Europe/Berlin", "tls": "made"}
    assert answer.json() == {**dict.fromkeys(tries, "refused"), **allowed}


async def test_the_environment_is_the_projects_and_the_folder_to_write_in_goes_with_the_process(
    project: Project,
) -> None:
    project.write(".env", "GREETING=moin\n")
    project.write(
        "py_spy/main.py",
        "import os, tempfile\nfrom starlette.responses import JSONResponse\n"
        "def handle(request): return JSONResponse([dict(os.environ), tempfile.gettempdir()])",
    )
    told, temporary = (await project.call("py_spy")).json()
    assert told.pop("SUPABASE_URL") == project.minato.url
    assert told.pop("SUPABASE_SERVICE_ROLE_KEY") == project.minato.backend.api_keys.service_role
    assert {name for name in told if not name.startswith("SUPABASE_")} == {"GREETING", "SB_EXECUTION_ID"}
    slot = project.slots("py_spy")[-1]
    assert slot.child is not None
    assert os.path.isdir(temporary)  # noqa: ASYNC240 - a look in a test
    slot.child.kill()
    await slot.child.ended()
    assert not os.path.exists(temporary)  # noqa: ASYNC240 - a look in a test
    project.write(".env", "")


async def test_nobody_but_the_server_may_ask_the_process(project: Project) -> None:
    await project.call("py")
    child = project.slots("py")[-1].child
    assert child is not None
    async with httpx.AsyncClient() as client:
        for headers in ({}, {"x-minato-pass": "guess"}, {"x-minato-pulse": "1"}):
            answer = await client.get(f"http://127.0.0.1:{child.port}/py", headers=headers)
            assert (answer.status_code, answer.text) == (403, "")


async def test_endless_work_and_a_glutton_end_by_themselves_alone(project: Project) -> None:
    project.write(
        "py_loops/main.py",
        """import os, time
from fastapi import FastAPI, Response
app = FastAPI()

def spin():
    while True: pass

@app.post("/")
async def loop(): spin()

@app.post("/thread")
def thread(): spin()

@app.put("/")
async def grow():
    kept = []
    while True:
        kept.append(bytearray(4_000_000))
        kept[-1][::4096] = b"x" * len(kept[-1][::4096])

@app.put("/at-once")
def at_once(): return len(bytearray(40_000_000_000))

@app.delete("/")
def leave(): os._exit(1)

@app.get("/")
def fine(): return "fine"
""",
    )
    steps = [
        ("POST", "", 546),
        ("POST", "/thread", 546),
        ("PUT", "", 546),
        ("PUT", "/at-once", 546),
        ("DELETE", "", 500),
        ("GET", "", 200),
    ]
    for method, path, status in steps:
        answer = await project.call(f"py_loops{path}", method)
        assert answer.status_code == status, (method, path, answer.text)
        if status == 546:
            assert {key: value for key, value in answer.json().items() if key != "trace"} == LIMIT
    log = (project.minato.backend.settings.server.data_dir / "functions" / "py_loops.log").read_text()
    assert "computed for too long without a pause" in log
    assert "line 6, in spin" in log
    assert (await project.call("py")).status_code == 201


async def test_a_process_that_ends_behind_the_head_of_its_answer_gave_none(project: Project) -> None:
    project.write(
        "py_loops/main.py",
        """import os, time
async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        time.sleep(0.2)  # as on a machine that is busy
        os._exit(1)
""",
    )
    answer = await project.call("py_loops")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")


async def test_an_edit_counts_at_the_next_request_and_the_one_at_work_ends_as_it_began(project: Project) -> None:
    source = """from starlette.responses import Response
async def handle(request):
    return Response(await request.body() + b"%s")
"""
    project.write("py/main.py", source % "old")
    assert (await project.call("py")).text == "old"
    edited = asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"asked "
        await edited.wait()
        yield b"early: "

    async with asyncio.TaskGroup() as group:
        early = group.create_task(project.call("py", "PUT", content=slowly()))
        await until(lambda: any(slot.users for slot in project.slots("py")))
        project.write("py/main.py", source % "newer")
        assert (await project.call("py")).text == "newer"
        edited.set()
    assert early.result().text == "asked early: old"
    await until(lambda: len(project.slots("py")) == 1)
    project.write("py/main.py", HANDLER)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1\ndef b(:\n  pass", 'py_broken/main.py", line 2'),
        ("import a_package_that_nobody_installed", "minato functions cache installs it"),
        ("a = 1", "give it an ASGI application app, or a function handle(request)"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit('left at once')", "left at once"),
        (
            "from contextlib import asynccontextmanager\nfrom fastapi import FastAPI\n@asynccontextmanager\n"
            "async def lifespan(app):\n    raise OSError('no cars')\n    yield\napp = FastAPI(lifespan=lifespan)",
            "OSError: no cars",
        ),
    ],
)
async def test_a_function_that_does_not_boot_says_where(project: Project, text: str, said: str) -> None:
    project.write("py_broken/main.py", text)
    answer = await project.call("py_broken")
    assert (answer.status_code, answer.json()["code"]) == (503, "BOOT_ERROR")
    assert said in answer.json()["trace"]
    assert project.slots("py_broken") == []


async def test_a_task_behind_the_answer_goes_on_and_an_idle_process_ends(project: Project) -> None:
    project.write(
        "py_behind/main.py",
        """import asyncio
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse, Response
done = 0
finish = asyncio.Event()
async def work():
    global done
    await finish.wait()
    done += 1
async def handle(request):
    if request.method == "GET": return JSONResponse(done)
    if request.method == "PUT": finish.set()
    return Response(status_code=202, background=BackgroundTask(work) if request.method == "POST" else None)
""",
    )
    assert (await project.call("py_behind")).status_code == 202
    slot = project.slots("py_behind")[-1]
    child, clock, pool = slot.child, project.minato.backend.clock, project.room.pool
    assert child is not None
    assert pool is not None
    await until(lambda: child.background == 1)
    clock.advance(timedelta(seconds=300))
    await pool.sweep()
    assert not child.has_ended
    assert (await project.call("py_behind", "PUT")).status_code == 202
    await until(lambda: child.background == 0)
    assert (await project.call("py_behind", "GET")).json() == 1
    await until(lambda: child.background == 0)
    clock.advance(timedelta(seconds=300))
    await pool.sweep()
    await until(lambda: child.has_ended)


async def test_a_process_and_what_it_began_end_with_whoever_holds_its_life(project: Project) -> None:
    project.write(
        "py_loops/main.py",
        "import os, signal\nfrom starlette.responses import JSONResponse\n"
        "def handle(request):\n    child = os.fork()\n    while not child: signal.pause()\n"
        "    return JSONResponse(child)",
    )
    forked = (await project.call("py_loops")).json()
    child = project.slots("py_loops")[-1].child
    assert child is not None
    assert child._watcher.stdin is not None
    child._watcher.stdin.close()
    await until(lambda: child.has_ended)
    await child.ended()
    await until(lambda: not _is_running(forked))


async def test_what_left_its_group_ends_with_the_function_too(project: Project) -> None:
    """It holds the function's output open; nobody waits for it."""
    project.write(
        "py_loops/main.py",
        "import os, time\nfrom starlette.responses import JSONResponse\n"
        "def handle(request):\n    child = os.fork()\n    if not child: os.setsid()\n"
        "    while not child: time.sleep(60)\n    return JSONResponse(child)",
    )
    forked = (await project.call("py_loops")).json()
    child = project.slots("py_loops")[-1].child
    assert child is not None
    child.kill()
    async with asyncio.timeout(PATIENCE):
        await child.ended()
    await until(lambda: not _is_running(forked))


async def test_each_request_has_a_process_of_its_own_where_the_policy_is_oneshot(project: Project) -> None:
    project.write(
        "py_behind/main.py",
        """import asyncio, os, tempfile
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse
async def work():
    while not os.path.exists(tempfile.gettempdir() + "/finish"): await asyncio.sleep(0.01)
async def handle(request):
    task = BackgroundTask(work) if request.method == "PUT" else None
    return JSONResponse([os.getpid(), tempfile.gettempdir()], background=task)
""",
    )
    with project.limits(policy="oneshot"):
        told = await asyncio.gather(*(project.call("py_behind") for _ in range(3)))
        seen = [answer.json() for answer in told]
        assert len({pid for pid, _ in seen}) == len({folder for _, folder in seen}) == 3
        await until(lambda: not any(_is_running(pid) or Path(folder).exists() for pid, folder in seen))
        pid, folder = (await project.call("py_behind", "PUT")).json()
        assert _is_running(pid)
        assert pid not in {each for each, _ in seen}
        Path(folder, "finish").touch()  # noqa: ASYNC240 - a touch in a test
        assert project.room.pool is not None
        await until(lambda: all(slot.child is None or not slot.child.background for slot in project.slots("py_behind")))
        await project.room.pool.sweep()
        await until(lambda: not _is_running(pid) and not Path(folder).exists())
    assert project.slots("py_behind") == []


def _is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


async def test_requests_share_a_process_and_wait_beside_each_other(project: Project) -> None:
    project.write(
        "py_behind/main.py",
        "import threading\nfrom starlette.responses import JSONResponse\nall = threading.Barrier(3)\n"
        "def handle(request):\n    all.wait()\n    return JSONResponse(3)",
    )
    answers = await asyncio.gather(*(project.call("py_behind") for _ in range(3)))
    assert [answer.json() for answer in answers] == [3, 3, 3]
    assert len([slot for slot in project.slots("py_behind") if not slot.retired]) == 1


async def test_a_socket_is_opened_by_the_application_or_refused(project: Project) -> None:
    project.write(
        "py_socket/main.py",
        """from fastapi import FastAPI, WebSocket
app = FastAPI()
@app.websocket("/talk")
async def talk(socket: WebSocket):
    await socket.accept("chat")
    async for text in socket.iter_text():
        if text == "end":
            await socket.close(4001, "as asked")
            return
        await socket.send_text(f"you said {text}")
""",
    )
    url = f"{project.minato.url.replace('http', 'ws')}/functions/v1"
    async with connect(f"{url}/py_socket/talk?a=1", proxy=None, subprotocols=["chat"]) as socket:  # type: ignore[list-item]
        await socket.send("hello")
        assert (await socket.recv(), socket.subprotocol) == ("you said hello", "chat")
        await socket.send("end")
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (4001, "as asked")
    for path, status in {"py_socket/no": 403, "py_closed": 401}.items():
        with pytest.raises(InvalidStatus) as refusal:
            await connect(f"{url}/{path}", proxy=None)
        assert refusal.value.response.status_code == status, path


async def test_packages_are_installed_by_the_command_alone_and_again_when_others_are_asked_for(
    project: Project, tmp_path: Path
) -> None:
    project.write("py_packages/main.py", WITH_PACKAGE)
    requirements = project.write("py_packages/requirements.txt", f"--no-index\n{a_wheel(tmp_path)}\n")
    missing = "requirements.txt was not installed yet, or has changed: run minato functions cache."
    assert (await project.call("py_packages")).json()["trace"] == missing
    assert project.room._functions is not None
    function = project.room._functions.find("py_packages")
    assert function is not None
    await asyncio.to_thread(install_requirements, function, project.supabase / ".minato" / "deno", os.environ)
    # What came to be beside the function's files is no reason to look again.
    project.minato.backend.clock.advance(timedelta(seconds=60))
    assert (await project.call("py_packages")).json() == ["moin", "has starlette"]
    requirements.write_text("# nothing any more\n")
    assert (await project.call("py_packages")).json()["trace"] == missing


WITH_PACKAGE = """import greeting
from starlette.responses import JSONResponse
def handle(request): return JSONResponse([greeting.WORD, "has starlette"])
"""


def a_wheel(folder: Path) -> Path:
    """Of a package that no index has."""
    wheel = folder / "greeting-1-py3-none-any.whl"
    with ZipFile(wheel, "w") as file:
        file.writestr("greeting/__init__.py", "WORD = 'moin'")
        file.writestr("greeting-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1\n")
        file.writestr("greeting-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("greeting-1.dist-info/RECORD", "greeting/__init__.py,,\n")
    return wheel
