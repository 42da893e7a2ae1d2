"""`/_dev/v1/faults`: what goes wrong on purpose in one backend."""

from __future__ import annotations

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from minato.backend import Backend
from minato.faults.fault import Rule

MOST = 100


def add_faults(app: FastAPI, backend: Backend) -> None:
    """The calls. Of several workers each has rules of its own, so there nobody sets one."""
    faults = backend.faults

    @app.get("/v1/faults")
    async def listed() -> Response:
        return JSONResponse([fault.as_json() for fault in faults.rules])

    @app.post("/v1/faults")
    async def add(rule: Rule) -> Response:
        if backend.machine is not None:
            return _refused(501, "faults_unavailable", "Several workers have no rules in common: serve with one.")
        if len(faults.rules) >= MOST:
            return _refused(409, "too_many_faults", f"There are {MOST} already.")
        return JSONResponse(faults.add(rule).as_json(), 201)

    @app.delete("/v1/faults")
    async def clear() -> Response:
        faults.clear()
        return Response(status_code=204)

    @app.delete("/v1/faults/{fault_id}")
    async def remove(fault_id: str) -> Response:
        if faults.remove(fault_id):
            return Response(status_code=204)
        return _refused(404, "fault_not_found", f'There is no fault "{fault_id}".')


def _refused(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)
