"""What one would otherwise load with: dlt, merging rows of JSON Lines into a table by its key.

In: JSON on stdin (rows_file, database: host, port, user, name). Prints the seconds that the load took.
"""

import json
import os
import sys
import tempfile
import time

given = json.load(sys.stdin)
os.environ |= {"RUNTIME__DLTHUB_TELEMETRY": "false", "DLT_DATA_DIR": tempfile.mkdtemp(), "RUNTIME__LOG_LEVEL": "CRITICAL"}

import dlt  # noqa: E402: it reads its settings when it is imported

with open(given["rows_file"], encoding="utf-8") as file:
    rows = [json.loads(line) for line in file]
destination = dlt.destinations.postgres(credentials=given["database"])
pipeline = dlt.pipeline("bench", destination=destination, dataset_name="peer")
started = time.monotonic()
for chunk in range(0, len(rows), given["chunk"]):
    pipeline.run(
        rows[chunk:chunk + given["chunk"]], table_name="transactions", write_disposition="merge",
        primary_key=["subscription_key", "transaction_id", "product_id"])
print(time.monotonic() - started)
