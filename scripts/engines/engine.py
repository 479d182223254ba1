# SPDX-License-Identifier: Apache-2.0
"""An Apache Airflow of its own in a folder: LocalExecutor, a database in a file, and what ends with it."""

import ctypes
import os
import pathlib
import secrets
import socket
import sqlite3
import subprocess
import sys
import time

PARTS = ("api-server", "dag-processor", "scheduler")
PR_SET_CHILD_SUBREAPER = 36


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def adopt_orphans():
    """What loses its parent below this process becomes its child, and can be found, in whatever session it is."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """The processes of each parent."""
    found = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # Behind the name, which may hold anything: state, parent.
            parent = int(status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        found.setdefault(parent, set()).add(int(status.parent.name))
    return found


def below(process, besides=frozenset()):
    """Every process that this one is an ancestor of, without those and what is below them."""
    found, parents = set(), children()
    waiting = [process]
    while waiting:
        own = parents.get(waiting.pop(), set()) - besides - found
        found |= own
        waiting += own
    return found


class Airflow:
    def __init__(self, folder, dags, environment):
        self.folder, self.started = folder, []
        folder.mkdir()
        port, secret = free_port(), secrets.token_urlsafe(32)
        self.environment = os.environ | environment | {
            "AIRFLOW_HOME": str(folder),
            "AIRFLOW__API__HOST": "127.0.0.1",
            "AIRFLOW__API__PORT": str(port),
            "AIRFLOW__API__SECRET_KEY": secret,
            "AIRFLOW__API__WORKERS": "1",
            "AIRFLOW__API_AUTH__JWT_SECRET": secret,
            "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
            "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{port}/execution/",
            "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__PARALLELISM": "8",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
            "AIRFLOW__SCHEDULER__SCHEDULER_HEARTBEAT_SEC": "1",
            # A machine that does other things, too, answers late.
            "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "120",
        }

    def __enter__(self):
        adopt_orphans()
        self.others = below(os.getpid())
        try:
            self.command("db", "migrate")
            for part in PARTS:
                log = open(self.folder / f"{part}.log", "w", encoding="utf-8")
                # What ends us from a terminal ends it by us, in order.
                self.started.append(subprocess.Popen(
                    [*self.program, part], env=self.environment, stdout=log, stderr=log, start_new_session=True))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error):
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                pass
        # Tasks have sessions of their own, and some outlive their part. What is killed leaves orphans, which are looked for again.
        while left := below(os.getpid(), besides=self.others):
            for process in left:
                try:
                    os.kill(process, 9)
                except ProcessLookupError:
                    pass
            self.reap()

    def reap(self):
        """Takes away what has ended of those below; a part's end is its own object's to know."""
        for process in self.started:
            process.poll()
        for process in children().get(os.getpid(), set()) - self.others:
            try:
                os.waitpid(process, os.WNOHANG)
            except ChildProcessError:
                pass
        time.sleep(0.05)

    @property
    def program(self):
        return [sys.executable, "-m", "airflow"]

    def command(self, *words):
        done = subprocess.run([*self.program, *words], env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"airflow {' '.join(words)}: {(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def rows(self, query, *parameters):
        """What Airflow's own database says; nothing while it has no such table or is written to."""
        try:
            with sqlite3.connect(f"file:{self.folder}/airflow.db?mode=ro", uri=True, timeout=30) as database:
                return database.execute(query, parameters).fetchall()
        except sqlite3.OperationalError:
            return []

    def wait(self, what, seconds, is_done):
        ends = time.monotonic() + seconds
        while not is_done():
            for part, process in zip(PARTS, self.started):
                if process.poll() is not None:
                    raise RuntimeError(f"airflow's {part} ended: {self.log(part)}")
            if time.monotonic() > ends:
                raise RuntimeError(f"not within {seconds} s: {what}\n{self.log('scheduler')}\n{self.log('dag-processor')}")
            time.sleep(0.2)

    def log(self, part):
        return (self.folder / f"{part}.log").read_text(encoding="utf-8")[-1500:]

    def import_errors(self):
        return self.rows("select filename, stacktrace from import_error")

    def tasks(self, dag, run):
        """State and tries of each task instance of a run."""
        return self.rows(
            "select task_id, map_index, state, try_number from task_instance where dag_id = ? and run_id = ? order by 1, 2", dag, run)

    def first_run(self, dag):
        """Name and state of the DAG's first run; None before there is one."""
        return next(iter(self.rows("select run_id, state from dag_run where dag_id = ? order by id limit 1", dag)), None)

    def runs(self, dag, state):
        return self.rows("select count(*) from dag_run where dag_id = ? and state = ?", dag, state)[0][0]
