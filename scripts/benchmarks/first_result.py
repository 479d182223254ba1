"""What a newcomer waits for: the demo of a fresh clone, built from nothing."""

import pathlib
import subprocess
import tempfile
import time

from place import Failed

ROOT = pathlib.Path(__file__).parent.parent.parent


def run(options):
    with tempfile.TemporaryDirectory(prefix="run-", dir=options.root) as folder:
        clone = pathlib.Path(folder) / "clone"
        # The private PostgreSQL runs under another account than root, and must be able to come in.
        pathlib.Path(folder).chmod(0o755)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        started = time.monotonic()
        done = subprocess.run([str(clone / "scripts/demo")], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"the demo: {done.stderr[-500:]}")
        yield {"name": "first result: the demo of a fresh clone", "wall_s": time.monotonic() - started, "goal": "600 s"}
