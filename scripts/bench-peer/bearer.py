"""A bearer token of Apple's own library. In: the JSON that app_store.py takes."""

import json
import pathlib
import sys

from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment

given = json.load(sys.stdin)
client = AppStoreServerAPIClient(
    pathlib.Path(given["key_file"]).read_bytes(), given["key_id"], given["issuer_id"], given["bundle_id"],
    Environment.PRODUCTION)
print(client._generate_token())
