"""What `create extension` finds: PostgreSQL's own folder, behind it our extensions written in SQL, and before both a
folder in which what a hosted project lets `postgres` create is trusted.

PostgreSQL lets others than superusers create an extension only where its control file says `trusted`. Copies of
control files say so, and name the folder of the server's scripts. They lie in the data folder, made anew when a start
finds others: an installation may be read-only, and several of them may serve different folders on one machine. Servers
before PostgreSQL 18 have no such path; they run in an installation of links, whose one folder holds all of this.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from minato.postgres.binaries import PostgresBinaries
from minato.postgres.linked import LinkedInstallation

# Our own extensions, for servers that lack them.
SHARE: Final = Path(__file__).parent / "share"
FIRST_VERSION: Final = 18
CONTROL: Final = ".control"

# supautils.privileged_extensions of a hosted project (supabase/postgres at 6124db1,
# ansible/files/postgresql_config/conf.d/supautils.conf), without pg_walinspect, which reads what others wrote.
TRUSTED: Final = frozenset(
    """
    address_standardizer address_standardizer_data_us autoinc bloom btree_gin btree_gist citext cube dblink dict_int
    dict_xsyn earthdistance fuzzystrmatch hstore http hypopg index_advisor insert_username intarray isn ltree
    moddatetime orioledb pg_buffercache pg_cron pg_graphql pg_hashids pg_jsonschema pg_net pg_prewarm pg_repack
    pg_stat_monitor pg_stat_statements pg_tle pg_trgm pgaudit pgcrypto pgjwt pgroonga pgroonga_database pgrouting
    pgrowlocks pgsodium pgstattuple pgtap plcoffee pljava plls plpgsql_check plv8 postgis postgis_raster postgis_sfcgal
    postgis_tiger_geocoder postgis_topology postgres_fdw refint rum seg sslinfo supabase_vault supautils tablefunc tcn
    timescaledb tsm_system_rows tsm_system_time unaccent uuid-ossp vector wrappers
    """.split()
)
# What a hosted project offers besides: these ask for no superuser there.
OFFERED: Final = TRUSTED | {"pg_partman", "pg_walinspect", "pgmq"}

# Native ones whose older versions a server can't install: a migration that names one gets the newest by that name.
_OLDER_BY_NAME: Final = frozenset({"vector"})

# An extension that is not there, for projects that go on without it.
_ABSENT_CONTROL: Final = """comment = 'left out: this PostgreSQL does not have it'
default_version = 'left-out'
trusted = true
relocatable = """
# Those that lie in a schema of their own are created without a word about it, also where the search path is empty.
_OWN_SCHEMA: Final = {
    **{"pgsodium": "pgsodium", "pgmq": "pgmq", "pg_tle": "pgtle"},
    **{"postgis_topology": "topology", "postgis_tiger_geocoder": "tiger"},
}
_ABSENT_SCRIPT: Final = """do $absent$
begin
    raise warning 'extension "%s" is left out: this PostgreSQL does not have it'
        using hint = 'What it brings is missing. MINATO_POSTGRES_BIN or DATABASE_URL name a PostgreSQL that has it; '
            'without missing_extensions = "skip" in supabase/minato.toml this is an error.';
end
$absent$;
"""
# What dumps of a database with the extension grant on, one by one, where it lies in the schema public.
_GRANTED_ON: Final = {
    "pgaudit": "".join(
        f"create function {name}() returns event_trigger language plpgsql as 'begin end';\n"
        for name in ("pgaudit_ddl_command_end", "pgaudit_sql_drop")
    )
}


def control_path(binaries: PostgresBinaries, folder: Path) -> str | None:
    """`extension_control_path` with `folder` before the server's own; None where the server has no such setting."""
    if binaries.major_version < FIRST_VERSION:
        return None
    # A colon parts the places and can't be quoted.
    places = [str(folder), "$system", str(SHARE)]
    return ":".join(place for place in places if ":" not in place)


def keep_overlay(binaries: PostgresBinaries, folder: Path, leave_out: bool) -> None:
    """See to it that `folder` has the control files for these programs; `leave_out`: also empty extensions in the place
    of those that a hosted project offers and this server lacks."""
    wanted = _trusted(binaries)
    if leave_out:
        wanted |= _absent(set(wanted) | {path.name for path in (SHARE / "extension").glob("*" + CONTROL)})
    if binaries.major_version < FIRST_VERSION:
        if (linked := _linked(binaries, folder)) is not None:
            linked.keep(wanted, _additions(linked.extensions))
        return
    if _found(folder / "extension") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "extension").mkdir(parents=True)
    for name, text in wanted.items():
        (folder / "extension" / name).write_text(text, encoding="utf-8")
    # PostgreSQL may run as another user than we do; around the folder is the data folder, which is closed.
    for path in (folder, folder / "extension", *(folder / "extension").iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)


def server_program(binaries: PostgresBinaries, folder: Path) -> Path:
    """The `postgres` that finds what `keep_overlay` put into `folder`, or the plain one where that can't be had."""
    linked = _linked(binaries, folder) if binaries.major_version < FIRST_VERSION else None
    return linked.program if linked is not None and linked.runs() else binaries.program("postgres")


def _linked(binaries: PostgresBinaries, folder: Path) -> LinkedInstallation | None:
    found = binaries.extensions
    return None if found is None else LinkedInstallation(binaries, found, folder)


def _additions(extensions: Path) -> dict[str, Path]:
    """The files of ours that the server lacks: a native extension comes first, with all of its own."""
    native = {path.stem for path in extensions.glob("*" + CONTROL)}
    ours = (SHARE / "extension").iterdir()
    return {path.name: path for path in ours if path.name.split("--")[0].removesuffix(CONTROL) not in native}


def _trusted(binaries: PostgresBinaries) -> dict[str, str]:
    scripts = binaries.extensions
    found: dict[str, str] = {}
    for path in sorted(scripts.glob("*" + CONTROL)) if scripts is not None else ():
        if path.stem not in TRUSTED:
            continue
        # Of a setting that is given twice the last counts.
        found[path.name] = f"{path.read_text(encoding='utf-8')}\ntrusted = true\n"
        if path.stem in _OLDER_BY_NAME:
            found |= _with_older_versions(path)
        else:
            found[path.name] += f"directory = {_quoted(path.parent)}\n"
    return found


def _with_older_versions(control: Path) -> dict[str, str]:
    """The scripts of an extension, and a way from its newest version to each older one that changes nothing."""
    found = {path.name: path.read_text(encoding="utf-8") for path in control.parent.glob(f"{control.stem}--*.sql")}
    default = re.search(r"^default_version *= *'([^']+)'", control.read_text(encoding="utf-8"), re.MULTILINE)
    older = {name.removesuffix(".sql").split("--")[1] for name in found}
    if default is not None:
        for version in older - {default[1]}:
            found[f"{control.stem}--{default[1]}--{version}.sql"] = f"-- {default[1]} by the name of {version}\n"
    return found


def _absent(present: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(OFFERED):
        if name + CONTROL not in present:
            own = _OWN_SCHEMA.get(name)
            found[name + CONTROL] = _ABSENT_CONTROL + (f"false\nschema = {own}\n" if own else "true\n")
            found[f"{name}--left-out.sql"] = _ABSENT_SCRIPT % name + _GRANTED_ON.get(name, "")
    return found


def _quoted(path: Path) -> str:
    r"""As the file format wants it.

    >>> print(_quoted(Path("/it's\\here")))
    '/it''s\\here'
    """
    text = str(path).replace("\\", "\\\\").replace("'", "''")
    return f"'{text}'"


def _found(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
