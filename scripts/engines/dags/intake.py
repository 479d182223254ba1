# SPDX-License-Identifier: Apache-2.0
"""An owner's DAG beside the night's: purchases are looked at every minute, whether a night runs or not."""

import datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

with DAG(
    dag_id="intake", schedule="* * * * *", catchup=False, max_active_runs=1,
    start_date=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
):
    BashOperator(task_id="intake", bash_command="exec subledger intake --quiet")
