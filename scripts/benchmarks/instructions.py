"""Instructions of single steps on fixed inputs, counted by valgrind: they do not depend on what else the machine does.

`--check` fails where a step takes more than instructions.json says, with a margin; `--record` writes them there.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from place import Failed

RECORDED = pathlib.Path(__file__).parent / "instructions.json"
MARGIN = 0.1

# Name: the step with its options, and how often it is repeated beyond the first measurement.
STEPS = {
    "verify a signature": (["verify"], 20),
    "read a first answer, 4 transactions": (["read"], 20),
    "read an answer of statuses": (["read", "--transactions", "0"], 20),
    "transform a first answer": (["transform"], 50),
    "transform an answer of statuses": (["transform", "--transactions", "0"], 50),
    "encode a transaction for COPY": (["encode"], 500),
}


def counted(command):
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)], capture_output=True,
        text=True, check=False, env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"})
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or not found:
        raise Failed(f"counting {' '.join(map(str, command[1:]))}: {done.stderr[-500:]}")
    return int(found[1])


def instructions(steps, keys, arguments, times):
    """Of one repetition: what more of them take, so that making the input is not counted."""
    name, *options = arguments
    few, many = (counted([steps, name, number, "--keys", keys, *options]) for number in (times, 3 * times))
    return (many - few) // (2 * times)


def run(options):
    if not shutil.which("valgrind"):
        raise Failed("valgrind is missing: scripts/setup installs it")
    keys = tempfile.TemporaryDirectory(dir=options.root)
    subprocess.run([str(options.steps), "keys", keys.name], check=True)
    # valgrind gives up where what it knows of debug information is older than the compiler's; counting needs none.
    steps = pathlib.Path(keys.name) / "measured-steps"
    subprocess.run(["strip", "--strip-debug", "-o", steps, options.steps], check=True)
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    found, grown = {}, []
    for name, (arguments, times) in STEPS.items():
        found[name] = instructions(steps, keys.name, arguments, times)
        known = recorded.get(name)
        yield {"name": f"instructions: {name}", "number": found[name], "wall_s": 0,
               "ratio": found[name] / known if known else None, "goal": f"{1 + MARGIN} of what is recorded"}
        if known and found[name] > known * (1 + MARGIN):
            grown.append(f"{name}: {found[name]:,}, recorded {known:,}")
    if options.record:
        RECORDED.write_text(json.dumps(found, indent=2) + "\n")
    elif options.check and (grown or found.keys() != recorded.keys()):
        raise Failed("\n".join(["steps take more instructions than recorded:", *grown]) if grown else
                     "instructions.json has other steps: scripts/bench instructions --record")
