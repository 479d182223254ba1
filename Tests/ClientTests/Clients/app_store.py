# SPDX-License-Identifier: Apache-2.0
"""Reads the simulated App Store with Apple's own library, signatures verified.

In: JSON on stdin (base_url, key_file, key_id, issuer_id, bundle_id, app_apple_id, root_file, ids, from_ms, until_ms).
Out: JSON with what was read; REQUESTS_CA_BUNDLE names the certificate authority of the connection.
"""

import functools
import json
import sys

from appstoreserverlibrary import api_client
from appstoreserverlibrary.api_client import AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

given = json.load(sys.stdin)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def patiently(request):
    """The library waits 30 seconds for an answer; a machine with much beside may take longer."""
    @functools.wraps(request)
    def wait(*arguments, **options):
        return request(*arguments, **{**options, "timeout": 600})
    return wait


api_client.requests.request = patiently(api_client.requests.request)
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


def refunds(id):
    """Every refunded transaction of the customer, page by page."""
    revision, rows = None, []
    while True:
        page = client.get_refund_history(id, revision)
        rows += page.signedTransactions or []
        revision = page.revision
        if not page.hasMore:
            return [verifier.verify_and_decode_signed_transaction(row) for row in rows]


def notifications(start, end):
    """Every notification of the app between two instants, page by page."""
    token, request = None, NotificationHistoryRequest(startDate=start, endDate=end)
    while True:
        page = client.get_notification_history(token, request)
        for entry in page.notificationHistory or []:
            if not entry.sendAttempts or any(it.sendAttemptResult is None for it in entry.sendAttempts):
                out["unread"].append("a result of sending is not one that the library knows")
            yield verifier.verify_and_decode_notification(entry.signedPayload)
        token = page.paginationToken
        if not page.hasMore:
            return


def key(row):
    """The same whatever id a restore gave the transaction."""
    return row.webOrderLineItemId or row.transactionId


out = {"statuses": 0, "transactions": {}, "unread": [], "refunded": [], "notifications": {}, "notified_refunds": []}
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
    out["refunded"] += [key(row) for row in refunds(id)]
for id in out["transactions"]:
    info = client.get_transaction_info(id)
    if verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo).transactionId != id:
        out["unread"].append(f"the transaction info of {id} is another one's")
for note in notifications(given["from_ms"], given["until_ms"]):
    if note.notificationType is None or (note.rawSubtype and note.subtype is None):
        out["unread"].append(f"a notification {note.rawNotificationType} {note.rawSubtype}")
    row = verifier.verify_and_decode_signed_transaction(note.data.signedTransactionInfo)
    if note.data.signedRenewalInfo:
        renewal = verifier.verify_and_decode_renewal_info(note.data.signedRenewalInfo)
        if renewal.originalTransactionId != row.originalTransactionId or note.data.status is None:
            out["unread"].append(f"a notification about {row.transactionId} disagrees with itself")
    if note.rawNotificationType == "REFUND":
        out["notified_refunds"].append(key(row))
    out["notifications"][note.notificationUUID] = note.rawNotificationType
out["refunded"] = sorted(set(out["refunded"]))
json.dump(out, sys.stdout)
