"""Says hello to who is asked for."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


async def handle(request: Request) -> Response:
    told = await request.json()
    return JSONResponse({"said": f"Hello {told['name']}"})
