# SPDX-License-Identifier: Apache-2.0
"""Reads the simulated App Store with Apple's own library, signatures verified.

In: JSON on stdin (base_url, key_file, key_id, issuer_id, bundle_id, app_apple_id, root_file, ids).
Out: JSON with what was read; REQUESTS_CA_BUNDLE names the certificate authority of the connection.
"""

import json
import sys

from appstoreserverlibrary.api_client import AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

given = json.load(sys.stdin)


def read(path):
    with open(path, "rb") as file:
        return file.read()


client = AppStoreServerAPIClient(
    read(given["key_file"]), given["key_id"], given["issuer_id"], given["bundle_id"], Environment.PRODUCTION)
client._base_url = given["base_url"]
verifier = SignedDataVerifier(
    [read(given["root_file"])], False, Environment.PRODUCTION, given["bundle_id"], int(given["app_apple_id"]))


def history(id):
    """Every transaction of the customer, page by page."""
    revision, rows = None, []
    while True:
        page = client.get_transaction_history(
            id, revision, TransactionHistoryRequest(sort=Order.ASCENDING), GetTransactionHistoryVersion.V2)
        rows += page.signedTransactions or []
        revision = page.revision
        if not page.hasMore:
            return [verifier.verify_and_decode_signed_transaction(row) for row in rows]


out = {"statuses": 0, "transactions": {}, "unread": []}
for id in given["ids"]:
    for group in client.get_all_subscription_statuses(id).data:
        for item in group.lastTransactions:
            transaction = verifier.verify_and_decode_signed_transaction(item.signedTransactionInfo)
            renewal = verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
            if item.status is None or renewal.originalTransactionId != transaction.originalTransactionId:
                out["unread"].append(f"status {item.rawStatus} of {id}")
            out["statuses"] += 1
    for row in history(id):
        if row.type is None or row.inAppOwnershipType is None or row.transactionReason is None:
            out["unread"].append(f"a value of transaction {row.transactionId} is not one that the library knows")
        out["transactions"][row.transactionId] = {
            "product": row.productId, "expires": row.expiresDate, "price": row.price, "currency": row.currency,
            "revoked": row.revocationDate, "upgraded": bool(row.isUpgraded),
        }
json.dump(out, sys.stdout)
