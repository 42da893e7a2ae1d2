"""`python -m migrations.new "create listings"` makes the next revision: a thin module and an SQL file."""

import re
import sys
from pathlib import Path

from alembic import command
from alembic.config import Config

from migrations.run import HERE, head


def create(title: str) -> Path:
    """Write the pair and return the path of its SQL file."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    slug = re.sub(r"\W+", "_", title.lower()).strip("_")
    config.set_main_option("file_template", f"%%(year)d%%(month).2d%%(day).2d_%%(rev)s_{slug}")
    script = command.revision(config, title, rev_id=f"{int(head()) + 1:04}")
    assert not isinstance(script, list | None), "one title, one revision"
    sql = Path(script.path).with_suffix(".sql")
    sql.write_text(f"-- {title}\n", encoding="utf-8")
    return sql


if __name__ == "__main__":
    sys.stdout.write(f"{create(' '.join(sys.argv[1:]))}\n")
