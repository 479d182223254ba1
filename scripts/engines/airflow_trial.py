# SPDX-License-Identifier: Apache-2.0
"""Plays cron/airflow's DAG under Airflow's LocalExecutor: a night of three hosts beside an owner's intake, against simulated stores.

Run by scripts/test --engines with the Python that has Airflow.
"""

import argparse
import importlib.util
import json
import pathlib
import shutil
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/benchmarks"), str(ROOT / "scripts/engines")]

from engine import Airflow  # noqa: E402
from place import Place, close_down_when_ended, instant  # noqa: E402

# 02:15 UTC, and a night of two and a half minutes: twelve chunks for three hosts, at forty a second.
FIRST_NIGHT, DAY = 1767579300, 86400
CUSTOMERS, RATE, PURCHASES = 6000, 40, 30
DAG = "subledger_nightly"


class Wrong(Exception):
    """What the trial was to show and did not."""


def expect(is_so, sentence):
    if not is_so:
        raise Wrong(sentence)
    print(f"  {sentence}", flush=True)


def check_endings():
    """Each exit code ends the task as it should, without a scheduler."""
    spec = importlib.util.spec_from_file_location("subledger_nightly", ROOT / "cron/airflow/subledger_nightly.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    leading, working = (None, 75)
    expected = {
        (0, leading): None, (1, leading): "AirflowFailException", (2, leading): "AirflowFailException",
        (64, leading): "AirflowFailException", (75, leading): "AirflowException", (137, leading): "AirflowException",
        (0, working): None, (75, working): "AirflowSkipException", (64, working): "AirflowFailException",
    }
    for (code, skips_on), ending in expected.items():
        operator = module.SubledgerOperator(
            task_id=f"ends_with_{code}", command=["sh", "-c", f"exit {code}"], skips_on=skips_on)
        found = None
        try:
            operator.execute({})
        except Exception as error:
            found = type(error).__name__
        expect(found == ending, f"exit code {code} of {'work' if skips_on else 'nightly'}: {ending or 'success'}")


def prepare(place):
    """Stores, a database, the catalogue, most purchases registered and some in the inbox."""
    place.start_store("acme-ios", CUSTOMERS, FIRST_NIGHT - DAY, "--months", "1", "--per-minute", str(60 * RATE + RATE))
    (place.folder / "clock").write_text(instant(FIRST_NIGHT - 3600))
    place.start_server(place.store_configuration())
    for job in ("products", "prices", "tax-rates"):
        place.run("import", job, str(place.store_folder / f"{job}.csv"))
    place.set_clock(FIRST_NIGHT)
    lines = place.registrations(FIRST_NIGHT).read_text(encoding="utf-8").splitlines()
    known = place.folder / "known.jsonl"
    known.write_text("\n".join(lines[:-PURCHASES]) + "\n", encoding="utf-8")
    place.run("import", "subscriptions", str(known))
    for purchase in map(json.loads, lines[-PURCHASES:]):
        place.sql(
            "insert into subledger.purchase_inbox (app_id, account_id, kind, payload, received_at) values "
            f"('{purchase['app_id']}', '{purchase.get('account_id', '')}', 'original_transaction_id', "
            f"'{purchase['store_key']}', '{instant(FIRST_NIGHT)}')")
    return len(lines)


def job_of(process):
    """`nightly`, `work` or whatever that process of the machine runs."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")[1]
    except (OSError, IndexError):
        return None


def at_work(place):
    """Jobs of the processes that hold a chunk at this instant."""
    found = place.sql("select distinct split_part(leased_by, ':', 2) from subledger.run_chunks where state = 'leased' and not is_beside")
    return [job for job in map(job_of, found.split()) if job]


def play(place, airflow, registered):
    airflow.wait("both DAGs are read", 120, lambda: len(
        airflow.rows("select dag_id from dag where dag_id in (?, 'intake') and not is_paused", DAG)) == 2 or airflow.import_errors())
    expect(not airflow.import_errors(), "both DAGs are read without an error")
    intakes = airflow.runs("intake", "success")
    started = time.monotonic()
    # Airflow makes up for the night that was missed last, and for no earlier one.
    most, seen = 0, []

    def is_ended():
        nonlocal most
        jobs = at_work(place)
        seen.extend(jobs)
        most = max(most, jobs.count("work"))
        return (airflow.first_run(DAG) or (None, None))[1] in ("success", "failed")

    airflow.wait("the night ends", 900, is_ended)
    print(f"  the night took {time.monotonic() - started:.0f} s", flush=True)
    states = airflow.tasks(DAG, airflow.first_run(DAG)[0])
    expect(
        states == [("nightly", -1, "success", 1), ("work", 0, "success", 1), ("work", 1, "success", 1)],
        f"the leader and both workers succeeded at the first try: {states}")
    expect(most == 2, f"workers seen at chunks at once: {most}")
    expect("nightly" in seen, "the leader worked at chunks, too")
    airflow.wait("another intake ends", 130, lambda: airflow.runs("intake", "success") > intakes + 1)
    expect(airflow.runs("intake", "failed") == 0, f"{airflow.runs('intake', 'success')} intakes succeeded, none failed")
    check_tables(place, registered)


def check_tables(place, registered):
    outcomes = place.sql("select job, outcome, count(*) from subledger.runs where job = 'nightly' group by 1, 2")
    expect(outcomes == "nightly|done|1", f"one night, done: {outcomes}")
    inbox = place.sql("select state, count(*) from subledger.purchase_inbox group by 1")
    expect(inbox == f"accepted|{PURCHASES}", f"purchases of the inbox: {inbox}")
    checked = int(place.sql("select count(*) from subledger.subscriptions where last_checked_at is not null"))
    expect(checked == registered, f"checked subscriptions: {checked} of {registered}")
    traffic = json.loads(place.ask_store("/sim/traffic"))
    expect(traffic["refused"] == 0, f"the store counted {traffic['most'].get('statuses')} statuses in its busiest minute, and refused none")
    expect(list((place.folder / "reports").glob("2*/manifest.json")), "the report is issued")


def main():
    parser = argparse.ArgumentParser(prog="scripts/test --engines")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--storesim", type=pathlib.Path, required=True)
    options = parser.parse_args()
    close_down_when_ended()
    check_endings()
    with Place(options.program, options.storesim, ROOT / "bench") as place:
        registered = prepare(place)
        programs, dags = place.folder / "programs", place.folder / "dags"
        for folder in (programs, dags):
            folder.mkdir()
        (programs / "subledger").symlink_to(options.program.resolve())
        for dag in (ROOT / "cron/airflow/subledger_nightly.py", ROOT / "scripts/engines/dags/intake.py"):
            shutil.copy(dag, dags)
        environment = {
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "SUBLEDGER_CONFIG": str(place.configuration)}
        with Airflow(place.folder / "airflow", dags, environment) as airflow:
            play(place, airflow, registered)


try:
    main()
except (Wrong, RuntimeError) as failure:
    sys.exit(f"engines: not so: {failure}")
print("engines: Airflow's trial passed")
