"""A place whose PostgreSQL is as a company's own, and a night on it that is looked at while it goes on."""

import dataclasses
import os
import pathlib
import re
import subprocess
import time

from place import Failed, Place


class SmallServerPlace(Place):
    """Its PostgreSQL has few connections, is named by its URL, and lets a role in that is no superuser."""

    def __init__(self, program, storesim, root, connections, rate=None):
        super().__init__(program, storesim, root)
        self.connections, self.rate = connections, rate
        self.private_configuration = self.configuration

    def __exit__(self, *error):
        self.configuration = self.private_configuration
        super().__exit__(*error)

    def start_server(self, configuration):
        self.configuration.write_text(configuration)
        self.server = self.run("db", "start").strip().removeprefix('psql "').removesuffix('"')
        self.sql(f"alter system set max_connections = {self.connections}")
        self.restart_server()
        self.sql("create role etl login")
        self.sql("create database night owner etl")
        self.server = re.sub(r"\bdbname=\S+", "dbname=night", self.server)
        address = re.sub(r"\buser=\S+", "user=etl", self.server)
        self.configuration = self.folder / "night.yaml"
        self.configuration.write_text(f'database: {{ url: "{address}", retry_for: 5m }}\n' + configuration)
        self.run("migrate")

    def store_configuration(self):
        configuration = super().store_configuration()
        if self.rate is None:
            return configuration
        return re.sub(r"requests_per_second: \d+", f"requests_per_second: {self.rate}", configuration)

    def restart_server(self):
        """As an administrator does it: every session is ended, and it is back in a moment."""
        data = next(self.folder.glob("data/**/postmaster.pid")).parent
        owner = data.stat()
        programs = pathlib.Path((data / "postmaster.opts").read_text().split()[0]).parent
        account = {} if owner.st_uid == os.getuid() else {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        done = subprocess.run(
            [programs / "pg_ctl", "-D", data, "-l", data / "server.log", "-m", "fast", "-w", "-t", "120", "-s", "restart"],
            cwd=data, capture_output=True, text=True, check=False, **account)
        if done.returncode:
            raise Failed(f"the server did not start again: {(done.stdout + done.stderr)[-500:]}")

    def looked_up(self, query):
        """A number, while a night goes on; None where the server has no answer now."""
        try:
            return int(self.sql(query) or 0)
        except Failed:
            return None


@dataclasses.dataclass
class Sample:
    """Of the program, at a time after its start in seconds."""

    time: float
    resident_mb: float
    descriptors: int
    sessions: int


def resident(pid):
    """Megabytes, and open files; None for a process that has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        files = len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None
    found = re.search(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)
    return (int(found[1]) / 1024, files) if found else None


def watched(place, *arguments, meanwhile=lambda: None):
    """Runs the program, looks at it once a second, and calls `meanwhile` as often: samples, seconds, and what it said.

    Fails where it does not end with 0.
    """
    samples = []
    with open(place.folder / "said", "w+", encoding="utf-8") as said:
        started = time.monotonic()
        process = place.start(place.command(*arguments), stdout=said, stderr=said)
        while process.poll() is None:
            if found := resident(process.pid):
                sessions = place.looked_up("select count(*) from pg_stat_activity where usename = 'etl'")
                samples.append(Sample(time.monotonic() - started, *found, sessions or 0))
            meanwhile()
            try:
                process.wait(1)
            except subprocess.TimeoutExpired:
                pass
        wall = time.monotonic() - started
        said.seek(0)
        text = said.read()
    if process.returncode != 0:
        raise Failed(f"the night ended with {process.returncode}: {text[-1500:]}")
    return samples, wall, text


def figures(place, name, samples, wall, now):
    """A row of what was seen. Fails where something is still due: a test purchase, which each run asks, where it was not asked."""
    due = (
        "next_check_at <= to_timestamp(:now) and not (next_check_reason = 'every_run' and last_checked_at is not null)"
        " or coalesce(last_checked_at, last_failed_at) is null")
    left, number = map(int, place.sql(
        f"select count(*) filter (where {due}), count(*) from subledger.subscriptions", now=now).split("|"))
    if left:
        raise Failed(f"{name}: {left} of {number} are still due")
    steady = [sample.resident_mb for sample in samples if sample.time >= wall / 3] or [0]
    return {
        "name": name, "number": number, "wall_s": wall, "per_s": number / wall, "left": left, "code": 0,
        "least_mb": min(steady), "ours_mb": max(steady), "sessions": max((sample.sessions for sample in samples), default=0),
        "descriptors": max((sample.descriptors for sample in samples), default=0),
        "samples": [dataclasses.asdict(sample) for sample in samples],
    }
