"""What an owner would otherwise write: Apple's own library, asynchronous, its rows verified, and psycopg.

Asks the status and the whole history of each id and writes both to two tables. The verifier remembers the chain it has seen.
In: JSON on stdin (base_url, ca_file, key_file, key_id, issuer_id, bundle_id, app_apple_id, root_file, ids_file, database, history).
"""

import asyncio
import datetime
import json
import ssl
import sys

import httpx
import psycopg
from appstoreserverlibrary.api_client import (
    APIException, AsyncAppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

IN_FLIGHT, BATCH = 32, 500

SUBSCRIPTION = """
insert into subscriptions (store_key, product_id, status, auto_renew, expires_at) values (%s, %s, %s, %s, %s)
on conflict (store_key) do update set
    product_id = excluded.product_id, status = excluded.status, auto_renew = excluded.auto_renew,
    expires_at = excluded.expires_at, checked_at = now()
"""

TRANSACTION = """
insert into transactions (
    transaction_id, store_key, product_id, purchased_at, expires_at, price_micros, currency, refunded_at)
values (%s, %s, %s, %s, %s, %s, %s, %s)
on conflict (transaction_id) do update set
    expires_at = excluded.expires_at, price_micros = excluded.price_micros, refunded_at = excluded.refunded_at
"""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def instant(milliseconds):
    return milliseconds and datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)


class Peer:
    def __init__(self, given):
        self.client = AsyncAppStoreServerAPIClient(
            read(given["key_file"]), given["key_id"], given["issuer_id"], given["bundle_id"], Environment.PRODUCTION)
        self.client._base_url = given["base_url"]
        self.client.http_client = httpx.AsyncClient(
            verify=ssl.create_default_context(cafile=given["ca_file"]), timeout=600,
            limits=httpx.Limits(max_connections=IN_FLIGHT))
        self.verifier = SignedDataVerifier(
            [read(given["root_file"])], False, Environment.PRODUCTION, given["bundle_id"], int(given["app_apple_id"]))
        self.reads_history = given["history"]

    async def history(self, id):
        """Every transaction of the customer, page by page."""
        revision, rows, request = None, [], TransactionHistoryRequest(sort=Order.ASCENDING)
        while True:
            page = await self.client.get_transaction_history(id, revision, request, GetTransactionHistoryVersion.V2)
            rows += map(self.verifier.verify_and_decode_signed_transaction, page.signedTransactions or [])
            revision = page.revision
            if not page.hasMore:
                return rows

    async def check(self, id):
        """The rows of one subscription."""
        subscriptions, transactions = [], []
        for group in (await self.client.get_all_subscription_statuses(id)).data:
            for item in group.lastTransactions:
                latest = self.verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo)
                renewal = self.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
                if item.originalTransactionId == id:
                    subscriptions.append((
                        id, latest.productId, item.status and item.status.name, renewal.rawAutoRenewStatus == 1,
                        instant(latest.expiresDate)))
                transactions.append(latest)
        if self.reads_history:
            transactions += await self.history(id)
        return subscriptions, [(
            row.transactionId, row.originalTransactionId, row.productId, instant(row.purchaseDate),
            instant(row.expiresDate), row.price and row.price * 1000, row.currency, instant(row.revocationDate),
        ) for row in transactions]

    async def run(self, ids, database):
        gate = asyncio.Semaphore(IN_FLIGHT)

        async def guarded(id):
            async with gate:
                try:
                    return await self.check(id)
                except APIException as error:
                    print(f"{id}: {error.raw_api_error}", file=sys.stderr)
                    return [], []

        async with await psycopg.AsyncConnection.connect(database) as connection:
            for start in range(0, len(ids), BATCH):
                found = await asyncio.gather(*map(guarded, ids[start:start + BATCH]))
                async with connection.transaction(), connection.cursor() as cursor:
                    await cursor.executemany(SUBSCRIPTION, [row for rows, _ in found for row in rows])
                    await cursor.executemany(TRANSACTION, [row for _, rows in found for row in rows])


if __name__ == "__main__":
    given = json.load(sys.stdin)
    ids = list(dict.fromkeys(json.loads(line)["store_key"] for line in open(given["ids_file"], encoding="utf-8")))
    asyncio.run(Peer(given).run(ids, given["database"]))
