"""A folder with a configuration, a private PostgreSQL and a simulated store of its own; what it started ends with it."""

import datetime
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request


class Failed(Exception):
    """What a benchmark needs and did not get."""


def instant(seconds):
    """ISO 8601, UTC, of seconds since 1970."""
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def close_down_when_ended():
    """A signal that ends this process ends what it started, too: every `with` is left."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda given, _: sys.exit(128 + given))


class Place:
    def __init__(self, program, storesim, root):
        self.program, self.storesim = program, storesim
        root.mkdir(exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=root))
        # The private PostgreSQL runs under another account than root, and must be able to come in.
        self.folder.chmod(0o755)
        self.configuration = self.folder / "subledger.yaml"
        self.started = []
        self.store = None
        self.server = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for process in self.started:
            # One that was waited for by its number has its return code from there.
            if process.returncode is None:
                process.kill()
                process.wait()
        if self.store:
            self.store.terminate()
            self.store.wait()
        if self.server:
            self.run("db", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- The program -------------------------------------------------------------------------------------------------------

    def command(self, *arguments, quiet=True):
        return [str(self.program), *arguments, "--config", str(self.configuration), *(["--quiet"] if quiet else [])]

    def start(self, command, **streams):
        """A process that ends with this place."""
        process = subprocess.Popen(command, **streams)
        self.started.append(process)
        return process

    def run(self, *arguments):
        """Its output; an error with its last words where it fails. 2 is a night that left something unread."""
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 2):
            raise Failed(f"subledger {' '.join(arguments)}: {done.stderr[-500:]}")
        return done.stdout

    def start_server(self, configuration):
        self.configuration.write_text(configuration)
        self.server = self.run("db", "start").strip().removeprefix('psql "').removesuffix('"')
        self.run("migrate")

    def sql(self, statement=None, file=None, server=None, **variables):
        """What psql prints of statements or of a file."""
        command = ["psql", server or self.server, "-XAtq", "-v", "ON_ERROR_STOP=1"]
        for name, value in variables.items():
            command += ["-v", f"{name}={value}"]
        if file:
            command += ["-f", str(file)]
        done = subprocess.run(command, input=statement, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"psql: {done.stderr[-500:]}")
        return done.stdout.strip()

    @property
    def postmaster(self):
        return int((next(self.folder.glob("data/**/postmaster.pid"))).read_text().split()[0])

    # --- The simulated store ------------------------------------------------------------------------------------------------

    def start_store(self, app, customers, seconds, *limits):
        """One app of that many customers, or the apps that the limits name; its clock stands at `seconds`."""
        self.store_folder = self.folder / "store"
        log = open(self.folder / "store.log", "w", encoding="utf-8")
        self.store = subprocess.Popen(
            [
                str(self.storesim), "serve", "--directory", str(self.store_folder), "--seed", "20260105", "--customers",
                str(customers), *(["--app", app] if app else []), "--clock", instant(seconds), *limits,
            ],
            stdout=log, stderr=log,
        )
        control = self.store_folder / "control"
        while not (control.exists() and control.read_text()):
            if self.store.poll() is not None:
                raise Failed(f"the simulated store did not start: {(self.folder / 'store.log').read_text()[-500:]}")
            time.sleep(0.05)
        self.control = control.read_text().strip()
        self.trust = ssl.create_default_context(cafile=str(self.store_folder / "ca.pem"))

    def ask_store(self, path, data=None):
        request = urllib.request.Request(self.control + path, data=data and data.encode())
        with urllib.request.urlopen(request, context=self.trust, timeout=600) as answer:
            return answer.read()

    def set_clock(self, seconds):
        """The store's clock, and the one that the program goes by."""
        (self.folder / "clock").write_text(instant(seconds))
        self.ask_store("/sim/clock", f'{{"micros": {seconds}000000}}')

    def registrations(self, until):
        """The file of what the app's backend would hand in."""
        file = self.folder / "purchases.jsonl"
        # Not by way of this process's memory: a command that it starts counts that as its own.
        request = urllib.request.Request(f"{self.control}/sim/registrations?since=0&until={until}000000")
        with urllib.request.urlopen(request, context=self.trust, timeout=600) as answer, file.open("wb") as copy:
            shutil.copyfileobj(answer, copy)
        return file

    def store_configuration(self):
        apps = re.sub(
            r"^    api: verify_receipt$", "    api: verify_receipt\n    default_country: US",
            (self.store_folder / "apps.yaml").read_text(), flags=re.MULTILINE)
        return (
            "data: ./data\nclock: simulated\nclock_file: clock\n" + apps
            + "reports: { directory: ./reports, currency: USD, time_zone: UTC, language: en }\n")


def cores():
    return len(os.sched_getaffinity(0))
