"""The Supabase CLI's global flags, which stand before a command or among its options.

`--workdir` and `--output` go to the commands that read them. What has no meaning here is taken as `supabase` takes it,
and left out: there are no containers, no hosted API, no prompts and no debug log. Nothing reads the variables of the
same names (SUPABASE_YES, SUPABASE_DEBUG, …) either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

COMMANDS: Final = frozenset({"start", "stop", "status", "init", "exec"})
SWITCHES: Final = frozenset({"--debug", "--yes", "--experimental", "--create-ticket"})
# With a value each; None takes any.
VALUES: Final[Mapping[str, tuple[str, ...] | None]] = {
    "--network-id": None,
    "--profile": None,
    "--dns-resolver": ("native", "https"),
    "--agent": ("yes", "no", "auto"),
}
# What these commands read by themselves.
PASSED_ON: Final[Mapping[str, frozenset[str]]] = {
    "--workdir": COMMANDS,
    "--output": frozenset({"status"}),
    "-o": frozenset({"status"}),
}


def without_global_flags(arguments: Sequence[str]) -> list[str]:
    """The command line as our commands take it. Raises ValueError in the CLI's words.

    >>> without_global_flags(["--debug", "--workdir", "shop", "status", "--profile=supabase", "-o", "env"])
    ['status', '--workdir', 'shop', '-o', 'env']
    >>> without_global_flags(["exec", "--yes", "npm", "test", "--debug"])
    ['exec', 'npm', 'test', '--debug']
    """
    return _Line(list(arguments)).read()


@dataclass
class _Line:
    """`rest` is what was not looked at yet; `passed_on` waits for the command, which reads it."""

    rest: list[str]
    kept: list[str] = field(default_factory=list)
    passed_on: list[tuple[str, str]] = field(default_factory=list)
    command: str = ""

    def read(self) -> list[str]:
        while self.rest and not self._is_foreign():
            word = self.rest.pop(0)
            name, equals, _ = word.partition("=")
            if name in SWITCHES:
                continue
            if name in VALUES or name in PASSED_ON:
                self._take(name, word if equals else None)
            else:
                self.kept.append(word)
                self.command = self.command or ("" if word.startswith("-") else word)
        if self.command not in COMMANDS:
            # Refused there: a command that looked at another folder than the named one would be worse.
            return [*(word for flag in self.passed_on for word in flag), *self.kept, *self.rest]
        read = [word for flag in self.passed_on if self.command in PASSED_ON[flag[0]] for word in flag]
        return [*self.kept, *read, *self.rest]

    def _is_foreign(self) -> bool:
        """Whether the rest is of a command that is not the CLI's, or of what `exec` runs."""
        if self.command == "exec":
            return self.rest[0] == "--" or not self.rest[0].startswith("-")
        return self.rest[0] == "--" or (self.command != "" and self.command not in COMMANDS)

    def _take(self, name: str, word: str | None) -> None:
        if word is None and not self.rest:
            shown = f"'{name[1:]}' in {name}" if name == "-o" else name
            raise ValueError(f"flag needs an argument: {shown}")
        value = word.partition("=")[2] if word is not None else self.rest.pop(0)
        allowed = VALUES.get(name)
        if allowed is not None and value not in allowed:
            raise ValueError(f'invalid argument "{value}" for "{name}" flag: must be one of [{" ".join(allowed)}]')
        if name in PASSED_ON:
            self.passed_on.append((name, value))
