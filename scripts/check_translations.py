"""Each compiled catalogue says what its source says, and none is missing; otherwise one line and code 1."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def problems() -> list[str]:
    found = []
    for source in sorted((ROOT / "locale").rglob("*.po")):
        compiled = source.with_suffix(".mo")
        name = source.relative_to(ROOT)
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / "fresh.mo"
            done = subprocess.run(["msgfmt", "--check", "-o", fresh, source], capture_output=True, text=True)
            if done.returncode != 0:
                found.append(f"{name}: {done.stderr.strip()}")
            elif not compiled.exists() or compiled.read_bytes() != fresh.read_bytes():
                found.append(f"{name}: its compiled catalogue is missing or old; run manage.py compilemessages")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems()) or 0)
