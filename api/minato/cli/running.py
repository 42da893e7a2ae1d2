"""One run of the server: database, migrations, seed, HTTP, and the way back."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import uvicorn
from structlog.stdlib import BoundLogger

from minato.backend import Backend
from minato.cli.announcement import Announcement, Welcome, announcement, print_banner, print_json
from minato.cli.configure import configure
from minato.cli.environment import processors
from minato.cli.errors import CommandError
from minato.cli.ground import ProjectGround
from minato.cli.http_server import GRACE_SECONDS, AnnouncingServer
from minato.cli.listener import public_url
from minato.cli.migrate import migrate_if_needed
from minato.cli.owners_bench import OwnersBench
