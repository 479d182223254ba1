# SPDX-License-Identifier: Apache-2.0
"""Reads the simulated Google Play with Google's own client, and holds every answer against its discovery document.

In: JSON on stdin (base_url, ca_file, service_account_file, package_name, tokens, unknown_order, now_ms).
Out: JSON with what was read and what does not fit the document.
"""

import json
import re
import sys

import google_auth_httplib2
import httplib2
from google.oauth2 import service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

given = json.load(sys.stdin)
credentials = service_account.Credentials.from_service_account_file(
    given["service_account_file"], scopes=["https://www.googleapis.com/auth/androidpublisher"])
http = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(ca_certs=given["ca_file"]))
service = build(
    "androidpublisher", "v3", http=http, static_discovery=True,
    client_options={"api_endpoint": given["base_url"]})
schemas = service._schema.schemas
unfit = set()

FORMS = {
    "int64": re.compile(r"-?[0-9]{1,19}"),
    "google-datetime": re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.([0-9]{3}|[0-9]{6}|[0-9]{9}))?(Z|[+-][0-9]{2}:[0-9]{2})"),
}


def fit(value, schema, place):
    """Holds a value against its schema; what does not fit is noted by its place, never by its value."""
    if "$ref" in schema:
        return fit(value, schemas[schema["$ref"]], place)
    kind, form = schema.get("type"), schema.get("format")
    if kind == "object":
        if not isinstance(value, dict):
            return unfit.add(f"{place}: not an object")
        for name, member in value.items():
            if name in schema.get("properties", {}):
                fit(member, schema["properties"][name], f"{place}.{name}")
            elif "additionalProperties" not in schema:
                unfit.add(f"{place}.{name}: not in the document")
    elif kind == "array":
        if not isinstance(value, list):
            return unfit.add(f"{place}: not an array")
        for member in value:
            fit(member, schema["items"], f"{place}[]")
    elif kind == "string":
        if not isinstance(value, str):
            unfit.add(f"{place}: not a string")
        elif "enum" in schema and value not in schema["enum"]:
            unfit.add(f"{place}: {value} is no word of the document")
        elif form in FORMS and not FORMS[form].fullmatch(value):
            unfit.add(f"{place}: not a {form}")
    elif kind == "integer" and (isinstance(value, bool) or not isinstance(value, int)):
        unfit.add(f"{place}: not an integer")
    elif kind == "boolean" and not isinstance(value, bool):
        unfit.add(f"{place}: not a boolean")


def status_of(call):
    """The HTTP status with which a call is refused; 200 where it is not."""
    try:
        call.execute()
        return 200
    except HttpError as error:
        return error.status_code


package = given["package_name"]
purchases, orders = service.purchases(), service.orders()
out = {"states": {}, "orders": {}, "voided": []}
latest = []
for token in given["tokens"]:
    purchase = purchases.subscriptionsv2().get(packageName=package, token=token).execute()
    fit(purchase, {"$ref": "SubscriptionPurchaseV2"}, "purchase")
    state = purchase["subscriptionState"]
    out["states"][state] = out["states"].get(state, 0) + 1
    latest += [item["latestSuccessfulOrderId"] for item in purchase["lineItems"] if "latestSuccessfulOrderId" in item]

latest = sorted(set(latest))
for start in range(0, len(latest), 100):
    batch = orders.batchget(packageName=package, orderIds=latest[start:start + 100]).execute()
    fit(batch, {"$ref": "BatchGetOrdersResponse"}, "batch")
    for order in batch["orders"]:
        out["orders"][order["orderId"]] = order["total"]
single = orders.get(packageName=package, orderId=latest[0]).execute()
fit(single, {"$ref": "Order"}, "order")

page = None
while True:
    answer = purchases.voidedpurchases().list(
        packageName=package, type=1, startTime=str(given["now_ms"] - 29 * 86_400_000), endTime=str(given["now_ms"]),
        maxResults=5, **({"token": page} if page else {})).execute()
    fit(answer, {"$ref": "VoidedPurchasesListResponse"}, "voided")
    out["voided"] += [item["orderId"] for item in answer.get("voidedPurchases", [])]
    page = answer.get("tokenPagination", {}).get("nextPageToken")
    if not page:
        break

out["unknown_token"] = status_of(purchases.subscriptionsv2().get(packageName=package, token="no-such-token"))
out["batch_with_an_unknown_id"] = status_of(
    orders.batchget(packageName=package, orderIds=[latest[0], given["unknown_order"]]))
out["unfit"] = sorted(unfit)
json.dump(out, sys.stdout)
