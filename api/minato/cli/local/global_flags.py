"""The Supabase CLI's global flags, which stand before a command or among its options.

`--workdir` and `--output` go to the commands that read them as options of theirs; the rest a command asks for by
`global_flags`. What has no meaning here is taken as `supabase` takes it, and left out: there are no containers and no
hosted API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typer import Context

# The CLI's commands, and of those that are groups here, too, which of them are the CLI's, or take its flags.
COMMANDS: Final = frozenset({"start", "stop", "status", "init", "exec", "migration", "migrations", "seed", "test"})
GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "db": frozenset({"start", "reset", "push", "pull", "dump", "restore", "diff", "lint", "query", "advisors", "test"}),
    "gen": frozenset({"types", "keys", "signing-key", "bearer-jwt"}),
    "functions": frozenset({"new", "cache", "serve", "list", "invoke", "logs", "deploy", "delete", "download"}),
    "storage": frozenset({"ls", "cp", "mv", "rm"}),
}
SWITCHES: Final = frozenset({"--debug", "--yes", "--experimental", "--create-ticket"})
# With a value each; None takes any.
VALUES: Final[Mapping[str, tuple[str, ...] | None]] = {
    "--network-id": None,
    "--profile": None,
    "--dns-resolver": ("native", "https"),
    "--agent": ("yes", "no", "auto"),
}
OUTPUT: Final = frozenset({"--output", "-o"})
# What these commands read as options of their own.
READ_WORKDIR: Final = frozenset({"start", "stop", "status", "init", "exec"})
READ_OUTPUT: Final = frozenset({"status", "db query", "db diff", "db advisors", "functions list"})
OFF: Final = frozenset({"false", "f", "0"})


@dataclass(frozen=True)
class GlobalFlags:
    """What was said once for any command. `agent` is yes, no or auto."""

    workdir: Path | None = None
    yes: bool = False
    debug: bool = False
    experimental: bool = False
    agent: str = "auto"


def global_flags(context: Context, environment: Mapping[str, str]) -> GlobalFlags:
    """The flags of this command line; SUPABASE_YES, SUPABASE_DEBUG and SUPABASE_EXPERIMENTAL say the same."""
    found = context.find_object(GlobalFlags) or GlobalFlags()

    def is_on(name: str, given: bool) -> bool:
        said = environment.get(f"SUPABASE_{name}", "")
        return given or (said != "" and said.lower() not in OFF)

    return replace(
        found,
        yes=is_on("YES", found.yes),
        debug=is_on("DEBUG", found.debug),
        experimental=is_on("EXPERIMENTAL", found.experimental),
    )


def without_global_flags(arguments: Sequence[str]) -> list[str]:
    """The command line as our commands take it. Raises ValueError in the CLI's words.

    >>> without_global_flags(["--debug", "--workdir", "shop", "status", "--profile=supabase", "-o", "env"])
    ['status', '--workdir', 'shop', '-o', 'env']
    >>> without_global_flags(["exec", "--yes", "npm", "test", "--debug"])
    ['exec', 'npm', 'test', '--debug']
    """
    return split_global_flags(arguments)[0]


def split_global_flags(arguments: Sequence[str]) -> tuple[list[str], GlobalFlags]:
    """The same, and the flags that were taken out.

    >>> words, flags = split_global_flags(["migration", "--yes", "down", "--workdir=shop"])
    >>> words, str(flags.workdir), flags.yes, flags.debug
    (['migration', 'down'], 'shop', True, False)
    """
    line = _Line(list(arguments))
    return line.read(), line.found


@dataclass
class _Line:
    """`rest` is what was not looked at yet; `passed_on` waits for the command, which reads it."""

    rest: list[str]
    kept: list[str] = field(default_factory=list)
    passed_on: list[tuple[str, str]] = field(default_factory=list)
    switches: dict[str, bool] = field(default_factory=dict)
    agent: str = "auto"
    command: str = ""
    found: GlobalFlags = GlobalFlags()

    def read(self) -> list[str]:
        while self.rest and not self._is_foreign():
            word = self.rest.pop(0)
            name, equals, value = word.partition("=")
            if name in SWITCHES:
                self.switches[name] = value.lower() not in OFF
            elif name in VALUES or name == "--workdir" or name in OUTPUT:
                self._take(name, word if equals else None)
            else:
                self.kept.append(word)
                self._note_command(word)
        if not self._is_of_the_cli():
            # Refused there: a command that looked at another folder than the named one would be worse.
            return [*(word for flag in self.passed_on for word in flag), *self.kept, *self.rest]
        workdir = next((value for name, value in reversed(self.passed_on) if name == "--workdir"), None)
        self.found = GlobalFlags(
            workdir=Path(workdir) if workdir else None,
            yes=self.switches.get("--yes", False),
            debug=self.switches.get("--debug", False),
            experimental=self.switches.get("--experimental", False),
            agent=self.agent,
        )
        read = [word for flag in self.passed_on if self._reads(flag[0]) for word in flag]
        return [*self.kept, *read, *self.rest]

    def _note_command(self, word: str) -> None:
        if word.startswith("-"):
            return
        if not self.command:
            self.command = word
        elif self.command in GROUPS:
            self.command = f"{self.command} {word}"

    def _is_of_the_cli(self) -> bool:
        group, _, name = self.command.partition(" ")
        return group in COMMANDS or name in GROUPS.get(group, ())

    def _reads(self, flag: str) -> bool:
        return self.command in (READ_WORKDIR if flag == "--workdir" else READ_OUTPUT)

    def _is_foreign(self) -> bool:
        """Whether the rest is of a command that is not the CLI's, or of what `exec` runs."""
        if self.command == "exec":
            return self.rest[0] == "--" or not self.rest[0].startswith("-")
        is_open = self.command == "" or self.command in GROUPS or self._is_of_the_cli()
        return self.rest[0] == "--" or not is_open

    def _take(self, name: str, word: str | None) -> None:
        if word is None and not self.rest:
            shown = f"'{name[1:]}' in {name}" if name == "-o" else name
            raise ValueError(f"flag needs an argument: {shown}")
        value = word.partition("=")[2] if word is not None else self.rest.pop(0)
        allowed = VALUES.get(name)
        if allowed is not None and value not in allowed:
            raise ValueError(f'invalid argument "{value}" for "{name}" flag: must be one of [{" ".join(allowed)}]')
        if name == "--agent":
            self.agent = value
        if name not in VALUES:
            self.passed_on.append((name, value))
