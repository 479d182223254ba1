"""What a command costs: wall time, the processor time of each process that takes part, memory."""

import dataclasses
import os
import pathlib
import threading
import time

from place import Failed

TICKS = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Usage:
    """Seconds and megabytes. The store's and the server's are what they used meanwhile."""

    wall: float
    program: float
    server: float
    store: float
    program_mb: float
    server_mb: float
    temp_mb: float
    output: str


def stat(pid):
    """The fields of /proc/PID/stat from the state on; None for a process that has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def processor_time(pid, with_ended_children=False):
    fields = stat(pid)
    if not fields:
        return 0.0
    return sum(map(int, fields[11:15 if with_ended_children else 13])) / TICKS


def children(parent):
    pids = [int(entry.name) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if (fields := stat(pid)) and int(fields[1]) == parent]


def own_memory(pid):
    """Megabytes that a process has touched of its own, without the buffers that all server processes share."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon:")), 0.0)


class ServerWatch(threading.Thread):
    """The most memory that one process of the PostgreSQL server holds, looked at ten times a second."""

    def __init__(self, postmaster):
        super().__init__(daemon=True)
        self.postmaster, self.peak, self.ended = postmaster, 0.0, threading.Event()

    def run(self):
        while not self.ended.wait(0.1):
            self.peak = max([self.peak, *map(own_memory, children(self.postmaster))])


def server_time(postmaster):
    return processor_time(postmaster, True) + sum(map(processor_time, children(postmaster)))


def temporary_files(place):
    """Bytes that the server has put into temporary files; a session's are counted when it has ended."""
    return int(place.sql("select coalesce(sum(temp_bytes), 0) from pg_stat_database"))


def measure(place, *arguments, allowed=(0, 2)):
    """Runs the program and says what it cost. 2 is a night that left something unread."""
    # A quiet night that is done says nothing, and its counts are wanted.
    return measure_command(place, place.command(*arguments, quiet=False), allowed=allowed)


def measure_command(place, command, input="", allowed=(0,)):
    """Runs a command and says what it cost."""
    watch = ServerWatch(place.postmaster)
    server, store = server_time(place.postmaster), processor_time(place.store.pid) if place.store else 0.0
    temporary = temporary_files(place)
    (place.folder / "input").write_text(input, encoding="utf-8")
    watch.start()
    with open(place.folder / "input", encoding="utf-8") as given, open(
            place.folder / "output", "w+", encoding="utf-8") as output, open(
            place.folder / "errors", "w+", encoding="utf-8") as errors:
        started = time.monotonic()
        process = place.start(command, stdin=given, stdout=output, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode not in allowed:
            raise Failed(f"{' '.join(command[:4])}: {errors.read()[-500:]}")
        said = output.read()
    time.sleep(0.3)  # the server counts a session's time when that has ended
    watch.ended.set()
    watch.join()
    return Usage(
        wall=wall, program=used.ru_utime + used.ru_stime, server=server_time(place.postmaster) - server,
        store=processor_time(place.store.pid) - store if place.store else 0.0, program_mb=used.ru_maxrss / 1024,
        server_mb=watch.peak, temp_mb=(temporary_files(place) - temporary) / 1e6,
        output=said)
