# SPDX-License-Identifier: Apache-2.0
"""The night under Apache Airflow 3: one task that leads it, and others on more workers of Airflow's that work along.

Put this file into the folder of your DAGs. On every machine that runs tasks there are `subledger` on the PATH, its configuration (at
SUBLEDGER_CONFIG), the keys that it names, and a way to the database and the stores; the reports' folder is shared by those that may
run the task `nightly`. Which host does what is decided in the database, not here.
"""

import datetime
import os

from airflow.providers.standard.hooks.subprocess import SubprocessHook
from airflow.sdk import DAG, BaseOperator
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowSkipException

LEADER = ["subledger", "nightly", "--once", "--log-format", "json"]
WORKER = ["subledger", "work", "--wait", "10m", "--log-format", "json"]

# The hosts besides the leader. They share the stores' quotas: more of them outlive more deaths and ask no faster.
WORKERS = int(os.environ.get("SUBLEDGER_WORK_TASKS", "2"))

# The lease of a host that was killed takes two minutes.
AFTER_A_LEASE = datetime.timedelta(minutes=3)

TRY_LATER = 75
# What a person must mend, and partial nights, whose rest a later start makes good: another try at once changes nothing.
FINAL = (1, 2, 64)


class SubledgerOperator(BaseOperator):
    """Runs a job of subledger and ends as its exit code says; a task that Airflow ends tells the job first."""

    def __init__(self, *, command, skips_on=None, **kwargs):
        super().__init__(**kwargs)
        self.command, self.skips_on = command, skips_on
        self.hook = None

    def execute(self, context):
        self.hook = SubprocessHook()
        code = self.hook.run_command(self.command).exit_code
        words = f"{' '.join(self.command[:2])} ended with {code}"
        if code == self.skips_on:
            raise AirflowSkipException(words)
        if code in FINAL:
            raise AirflowFailException(words)
        if code:
            raise AirflowException(words)  # tried again

    def on_kill(self):
        if self.hook:
            self.hook.send_sigterm()


with DAG(
    dag_id="subledger_nightly",
    description="Check subscriptions and write the reports",
    # Later in the morning again, which makes good a night of a store that was down: a start with nothing to do ends at once.
    schedule="15 2,4,6,10 * * *",
    start_date=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
    # A night goes by the clock, never by Airflow's data interval: one that was missed is made up for by the next.
    catchup=False,
    max_active_runs=1,
    tags=["subledger"],
):
    SubledgerOperator(
        task_id="nightly", command=LEADER, retries=6, retry_delay=AFTER_A_LEASE,
        execution_timeout=datetime.timedelta(hours=8))
    # Beside the leader, not after it. Without a night, or with one whose leader is gone, they are skipped: no task fails for that.
    SubledgerOperator.partial(
        task_id="work", skips_on=TRY_LATER, retries=2, retry_delay=AFTER_A_LEASE,
        execution_timeout=datetime.timedelta(hours=8),
    ).expand(command=[WORKER] * WORKERS)
