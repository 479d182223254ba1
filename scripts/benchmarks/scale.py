"""A steady night of a large app at a configured rate: 1, 2 and 4 workers on one host, then two hosts on one quota."""

import os
import re
import subprocess

import nights
from meter import measure
from place import Failed, Place

WORKERS = (1, 2, 4)


def due_again(place):
    """Everybody is due, and nothing has happened."""
    place.sql(
        f"update subledger.subscriptions set next_check_at = to_timestamp({nights.FIRST_NIGHT}) where next_check_at is not null;"
        "vacuum analyze subledger.subscriptions")


def configure(place, rate):
    text = place.configuration.read_text(encoding="utf-8")
    place.configuration.write_text(
        re.sub(r"requests_per_second: \d+", f"requests_per_second: {rate}", text), encoding="utf-8")


def start_worker(place, app):
    """Another host: a process that works along, with nothing of the leader's but the database."""
    return place.start(
        place.command("work", "--wait", "5m", "--app", app), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def ended(worker):
    """Its processor time and its memory, once the night is sealed."""
    said = worker.stderr.read()
    _, status, used = os.wait4(worker.pid, 0)
    worker.returncode = os.waitstatus_to_exitcode(status)
    if worker.returncode:
        raise Failed(f"work ended with {worker.returncode}: {said[-500:]}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def hosts_at_work(place):
    return int(place.sql(
        "select count(*) from subledger.run_hosts where checks > 0 and run_id = (select max(run_id) from subledger.runs)"))


def night(place, app, name, rate, hosts, *arguments):
    due_again(place)
    workers = [start_worker(place, app) for _ in range(hosts - 1)]
    usage = measure(place, "nightly", "--no-reports", "--app", app, *arguments)
    others = [ended(worker) for worker in workers]
    if hosts_at_work(place) != hosts:
        raise Failed(f"{name}: {hosts_at_work(place)} of {hosts} hosts asked anything: take more due")
    number = nights.counted("checked", usage)
    each = 1e6 / number
    return {
        "name": name, "number": number, "wall_s": usage.wall, "per_s": number / usage.wall, "ratio": number / usage.wall / rate,
        "ours_us": (usage.program + sum(time for time, _ in others)) * each, "server_us": usage.server * each,
        "store_us": usage.store * each, "ours_mb": max([usage.program_mb, *(memory for _, memory in others)]),
        "server_mb": usage.server_mb, "requests": nights.counted("calls", usage), "goal": f"0.99 of {rate:,} per s",
    }


def run(options):
    app = nights.APPS[options.api[0]]
    with Place(options.program, options.storesim, options.root) as place:
        number, _ = nights.prepare(place, app, options.scale, 1)
        # It reads each history; the next answers come from the store's cache.
        nights.night(place, app)
        place.set_clock(nights.FIRST_NIGHT + 3600)
        due_again(place)
        nights.night(place, app)
        configure(place, options.rate)
        for workers in WORKERS:
            name = f"{number:,} due, one host, {workers} worker{'s' if workers > 1 else ''}"
            yield night(place, app, name, options.rate, 1, "--workers", str(workers))
        yield night(place, app, f"{number:,} due, two hosts on one quota", options.rate, 2)
