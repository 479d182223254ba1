"""The Python that what one would otherwise write runs in."""

import filecmp
import pathlib
import shutil
import subprocess
import venv

SCRIPTS = pathlib.Path(__file__).parent.parent / "bench-peer"


def interpreter(root):
    """A Python with the libraries of the peers; made anew where they are others."""
    place, wanted = root / "peer-venv", SCRIPTS / "requirements.txt"
    installed = place / "installed.txt"
    if not (installed.exists() and filecmp.cmp(wanted, installed, shallow=False)):
        shutil.rmtree(place, ignore_errors=True)
        venv.create(place, with_pip=True)
        subprocess.run(
            [place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", wanted], check=True)
        shutil.copy(wanted, installed)
    return place / "bin/python"
