"""What an owner would otherwise write: Google's own client in a few threads, and psycopg.

Asks each purchase and its latest order and writes both to two tables.
In: JSON on stdin (base_url, ca_file, service_account_file, package_name, ids_file, database, history).
"""

import concurrent.futures
import json
import sys
import threading

import google_auth_httplib2
import httplib2
import psycopg
from google.oauth2 import service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from app_store import BATCH, SUBSCRIPTION, TRANSACTION

THREADS = 8


class Peer:
    def __init__(self, given):
        self.given = given
        self.credentials = service_account.Credentials.from_service_account_file(
            given["service_account_file"], scopes=["https://www.googleapis.com/auth/androidpublisher"])
        self.local = threading.local()

    @property
    def service(self):
        """One for each thread: httplib2 serves one at a time."""
        if not hasattr(self.local, "service"):
            http = google_auth_httplib2.AuthorizedHttp(
                self.credentials, http=httplib2.Http(ca_certs=self.given["ca_file"], timeout=600))
            self.local.service = build(
                "androidpublisher", "v3", http=http, static_discovery=True,
                client_options={"api_endpoint": self.given["base_url"]})
        return self.local.service

    def check(self, token):
        """The rows of one purchase."""
        package = self.given["package_name"]
        try:
            purchase = self.service.purchases().subscriptionsv2().get(packageName=package, token=token).execute()
            item = purchase["lineItems"][0]
            row = (
                token, item["productId"], purchase["subscriptionState"],
                item.get("autoRenewingPlan", {}).get("autoRenewEnabled", False), item.get("expiryTime"))
            order_id = item.get("latestSuccessfulOrderId")
            if not self.given["history"] or not order_id:
                return [row], []
            order = self.service.orders().get(packageName=package, orderId=order_id).execute()
        except HttpError as error:
            print(f"refused with {error.status_code}", file=sys.stderr)
            return [], []
        total = order.get("total", {})
        micros = int(total.get("units", 0)) * 1_000_000 + total.get("nanos", 0) // 1000
        return [row], [(
            order_id, token, item["productId"], order["createTime"], item.get("expiryTime"), micros,
            total.get("currencyCode"), None)]

    def run(self, tokens, database):
        with psycopg.connect(database) as connection, concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
            for start in range(0, len(tokens), BATCH):
                found = list(threads.map(self.check, tokens[start:start + BATCH]))
                with connection.transaction(), connection.cursor() as cursor:
                    cursor.executemany(SUBSCRIPTION, [row for rows, _ in found for row in rows])
                    cursor.executemany(TRANSACTION, [row for _, rows in found for row in rows])


if __name__ == "__main__":
    given = json.load(sys.stdin)
    tokens = list(dict.fromkeys(json.loads(line)["store_key"] for line in open(given["ids_file"], encoding="utf-8")))
    Peer(given).run(tokens, given["database"])
