"""Verifying the App Store's signed rows under a known chain, beside what OpenSSL does of bare P-256 on the same core."""

import os
import re
import subprocess


def on_one_core(*command):
    core = min(os.sched_getaffinity(0))
    done = subprocess.run(["taskset", "-c", str(core), *map(str, command)], capture_output=True, text=True, check=True)
    return done.stdout


def run(options):
    ours = float(on_one_core(options.steps, "verify", 60000))
    speed = on_one_core("openssl", "speed", "-seconds", "3", "ecdsap256")
    bare = float(re.findall(r"256 bits ecdsa.*?([\d.]+)\s*$", speed, re.MULTILINE)[0])
    yield {"name": "signatures: openssl speed ecdsap256", "wall_s": 3, "per_s": bare}
    yield {"name": "signatures: rows of a known chain", "wall_s": 60000 / ours, "per_s": ours, "ratio": ours / bare,
           "goal": "0.8 of openssl"}
