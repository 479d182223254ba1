"""A first night beside what an owner would otherwise write: the stores' own libraries and psycopg (scripts/bench-peer)."""

import json
import re
import subprocess

import nights
import peer_python
from meter import measure_command
from place import Failed, Place

SCRIPTS = {"server": "app_store.py", "play": "google_play.py"}

# What both hold of the App Store: an owner's script follows no upgrade, link or one-time sale.
OURS = """
select transaction_id, period_end, price_micros, currency, refunded_at
from subledger.transactions
where environment = 'production' and price_source = 'store_price'
"""
THEIRS = "select transaction_id, expires_at, price_micros, currency, refunded_at from transactions"


def settings(place, app):
    """An app's keys of the configuration, which the store has written."""
    text = (place.store_folder / "apps.yaml").read_text()
    pairs = (line.strip().removeprefix("- ").partition(": ") for line in text.splitlines())
    return {name: value for name, _, value in pairs if value}


def given(place, api, purchases, history):
    keys = settings(place, nights.APPS[api])
    common = {
        "base_url": keys["base_url"], "ca_file": keys["ca_file"], "ids_file": str(purchases), "history": history,
        "database": place.server.replace("dbname=subledger", "dbname=peer"),
    }
    if api == "play":
        return common | {
            "service_account_file": keys["service_account_file"], "package_name": keys["package_name"]}
    return common | {
        "key_file": keys["private_key_file"], "key_id": keys["key_id"], "issuer_id": keys["issuer_id"],
        "bundle_id": keys["bundle_id"], "app_apple_id": keys["app_apple_id"],
        "root_file": keys["root_certificate_file"],
    }


def check_agreement(place, peer):
    """Each transaction that the peer holds is ours, too, with the same figures."""
    ours = set(place.sql(OURS).splitlines())
    theirs = set(place.sql(THEIRS, server=peer).splitlines())
    unknown = {row.split("|")[0] for row in theirs} - {row.split("|")[0] for row in ours}
    different = {row for row in theirs if row.split("|")[0] not in unknown} - ours
    if different:
        raise Failed(f"{len(different)} transactions differ from the peer's, the first: {min(different)}")
    return len(theirs) - len(unknown), len(unknown)


def alone(place, interpreter, asked, purchases, number):
    """How many statuses a second the store gives to whoever does nothing with them, so that it holds neither of us up."""
    ids = [json.loads(line)["store_key"] for line in purchases.open("rb")]
    addresses = place.folder / "addresses"
    addresses.write_text("".join(f"{asked['base_url']}/inApps/v1/subscriptions/{key}\n" for key in ids))
    bearer = subprocess.run(
        [str(interpreter), str(peer_python.SCRIPTS / "bearer.py")], input=json.dumps(asked), capture_output=True,
        text=True, check=True)
    command = [
        "h2load", "--requests", str(number), "--clients", "4", "--max-concurrent-streams", "16", "--input-file",
        str(addresses), "--header", f"Authorization: Bearer {bearer.stdout.strip()}"]
    for _ in range(2):  # the second time the store gives its answers again
        said = measure_command(place, command).output
    given = re.search(r"finished in [^,]+, ([\d.]+) req/s", said)
    answered = re.search(r"status codes: (\d+) 2xx", said)
    if not given or not answered or int(answered[1]) != number:
        raise Failed(f"h2load: {said[-500:]}")
    rate = float(given[1])
    return {"name": "server: the store alone, asked by h2load", "number": number, "wall_s": number / rate, "per_s": rate}


def run(options):
    interpreter = peer_python.interpreter(options.root)
    for api in [api for api in options.api if api in SCRIPTS]:
        with Place(options.program, options.storesim, options.root) as place:
            number, _ = nights.prepare(place, nights.APPS[api], options.customers[0], options.months[0])
            purchases = place.folder / "purchases.jsonl"
            ours = nights.row(f"{api}: our first night", nights.night(place, nights.APPS[api]), None)
            yield ours
            place.sql("create database peer")
            asked = given(place, api, purchases, history=True)
            place.sql(file=peer_python.SCRIPTS / "tables.sql", server=asked["database"])
            usage = measure_command(
                place, [str(interpreter), str(peer_python.SCRIPTS / SCRIPTS[api])], input=json.dumps(asked))
            if api == "server":
                yield alone(place, interpreter, asked, purchases, number)
            peers = {
                "name": f"{api}: the peer's first night", "number": number, "wall_s": usage.wall,
                "per_s": number / usage.wall, "ours_us": usage.program * 1e6 / number,
                "server_us": usage.server * 1e6 / number, "store_us": usage.store * 1e6 / number,
                "ours_mb": usage.program_mb,
            }
            yield peers
            both, beyond = check_agreement(place, asked["database"]) if api == "server" else (None, None)
            yield {
                "name": f"{api}: the peer's processor time to ours", "number": both, "wall_s": usage.wall,
                "ratio": peers["ours_us"] / ours["ours_us"], "refused": beyond, "goal": "20 times ours"}
