-- Purchases that continue earlier ones: facts, each once. What has just been continued is asked about again, at once: its
-- store has cut it short, and its own check was not due yet.
-- Grain: one row per link, and per earlier purchase of a new one that has not ended. $1 later keys, $2 earlier keys, $3 run
with added as (
    insert into subledger.lineage_links (subscription_key, linked_subscription_key, recorded_run_id)
    select distinct link.later, link.earlier, $3::bigint
    from unnest($1::bigint[], $2::bigint[]) as link (later, earlier)
    on conflict (subscription_key, linked_subscription_key) do nothing
    returning linked_subscription_key
)

update subledger.subscriptions as held set next_check_at = '-infinity', next_check_reason = 'registered'
from added
where held.subscription_key = added.linked_subscription_key
    and held.state not in ('expired', 'revoked')
    and held.next_check_at is distinct from '-infinity'
