"""Load generators: wrk against an HTTP server, pgbench against the database. Both bounded in time, both on loopback."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.cases import Case, pgbench_script

LUA = """
math.randomseed(os.time())
wrk.method = "{method}"
{body}
{headers}
request = function()
  local path = ("{path}"):gsub("{{id}}", math.random(1, 10000)):gsub("{{other}}", math.random(1, 10000))
  path = path:gsub("{{page}}", 25 * math.random(0, 390))
  return wrk.format(nil, path)
end
"""
# How wrk tells what it measured.
RESULT = """
done = function(summary, latency)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"errors":%d}\\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
"""


@dataclass(frozen=True)
class Measurement:
    """Requests per second, latency in milliseconds, failed requests; processor time of the server per request.

    The last one says something on a busy machine too.
    """

    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int
    cpu_ms: float = 0.0


def require_wrk() -> str:
    """The path of wrk, or an error that says how to get it."""
    found = shutil.which("wrk")
    if found is None:
        raise SystemExit("The bench needs the load generator wrk (package wrk on Debian and Ubuntu, brew install wrk).")
    return found


def load_http(base: str, case: Case, headers: Mapping[str, str], connections: int, seconds: int) -> Measurement:
    """Drive `case` against `base` with so many connections for so long."""
    origin, _, prefix = base.removeprefix("http://").partition("/")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "case.lua")
        script.write_text(_lua(case, f"/{prefix}" if prefix else "", headers))
        command = [require_wrk(), "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(script)]
        output = subprocess.run([*command, f"http://{origin}"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"RESULT (.*)", output)
    assert found is not None, output
    result = json.loads(found[1])
    per_second = result["requests"] / (result["us"] / 1e6)
    return Measurement(per_second, result["p50"] / 1000, result["p99"] / 1000, result["errors"])


def _lua(case: Case, prefix: str, headers: Mapping[str, str]) -> str:
    sent = {**headers}
    if case.body is not None:
        sent["content-type"] = "application/json"
    if case.prefer is not None:
        sent["prefer"] = case.prefer
    lines = "\n".join(f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}" for name, value in sent.items())
    body = f"wrk.body = {json.dumps(case.body)}" if case.body is not None else ""
    return (
        LUA.format(method="POST" if case.writes else "GET", body=body, headers=lines, path=prefix + case.path) + RESULT
    )


def load_pgbench(binary: Path, dsn: str, case: Case, connections: int, seconds: int) -> Measurement:
    """The same work straight on the database."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "case.sql")
        script.write_text(pgbench_script(case))
        command = [str(binary), "-n", "-M", "prepared", "-c", str(connections), "-j", "1", "-T", str(seconds)]
        log = ["-l", "--log-prefix", str(Path(folder, "log"))]
        output = subprocess.run(
            [*command, *log, "-f", str(script), dsn], capture_output=True, text=True, check=True
        ).stdout
        latencies = sorted(
            int(line.split()[2]) / 1000 for file in Path(folder).glob("log*") for line in file.read_text().splitlines()
        )
    found = re.search(r"tps = ([\d.]+)", output)
    if found is None:
        # Not one transaction within the time: the machine is busy with something else.
        return Measurement(0.0, 0.0, 0.0, 0)
    p50, p99 = (latencies[min(len(latencies) - 1, int(share * len(latencies)))] for share in (0.5, 0.99))
    return Measurement(float(found[1]), p50, p99, 0)
