"""Settings of Edge Functions: where they lie, what config.toml says of them, and what each may take."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import SettingsConfigDict

from minato.config.base import RoomSettings


class FunctionSettings(BaseModel):
    """`[functions.<name>]` of config.toml; paths are relative to `supabase/`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    enabled: bool = True
    verify_jwt: bool = True
    import_map: str = ""
    entrypoint: str = ""
    static_files: list[str] = []
    env: dict[str, SecretStr] = {}


class FunctionsSettings(RoomSettings):
    """`MINATO_FUNCTIONS_*`; times in seconds."""

    model_config = SettingsConfigDict(
        env_prefix="MINATO_FUNCTIONS_", extra="ignore", frozen=True, populate_by_name=True
    )

    enabled: bool = Field(True, description="Whether functions are served: edge_runtime.enabled of config.toml.")
    folder: Path | None = Field(None, description="Folder of the functions; default supabase/functions of the project.")
    deno: Path | None = Field(None, description="The Deno that runs them; default that of minato[functions].")
    cache: Path | None = Field(
        None,
        description="Packages that functions import, as minato functions cache fetched them; default "
        "supabase/.minato/deno of the project.",
    )
    config: dict[str, FunctionSettings] = Field(
        {}, description="What [functions.<name>] of config.toml says, as JSON by the function's name."
    )
    secrets: dict[str, SecretStr] = Field({}, description="Variables of every function, as a JSON object.")
    db_url: SecretStr | None = Field(None, description="SUPABASE_DB_URL of functions; without it they have none.")
    policy: Literal["per_worker", "oneshot"] = Field(
        "per_worker", description="oneshot gives each request a process of its own."
    )
    inspect: Literal["", "run", "brk", "wait"] = Field(
        "", description="Lets a debugger into functions, as functions serve --inspect-mode does; in development alone."
    )
    inspector_port: int = Field(
        8083, ge=0, le=65535, description="The debugger's port on loopback; a second function has the next one."
    )
    processes: int = Field(8, ge=1, description="Most processes of functions at a time; idle ones make room.")
    queue_timeout: float = Field(10.0, gt=0, description="Longest wait for a process.")
    boot_timeout: float = Field(30.0, gt=0, description="Longest start of a function.")
    idle_timeout: float = Field(150.0, gt=0, description="Longest silence of a function that was asked: then 504.")
    wall_clock_limit: float = Field(400.0, gt=0, description="Longest request, sockets and streams too.")
    cpu_limit: float = Field(2.0, gt=0, description="Processor time after which a function that does not react ends.")
    memory_mb: int = Field(256, ge=32, description="Memory of one function's JavaScript; bytes beside it as much.")
    python_unconfined: bool = Field(
        False,
        description="Lets functions in Python run in production where the system has no Landlock to confine them.",
    )
    stop_after: float = Field(180.0, gt=0, description="An idle function's process ends after so long.")
