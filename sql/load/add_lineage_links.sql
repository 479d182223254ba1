-- Purchases that continue earlier ones: facts, each once.
-- Grain: one row per link. $1 later keys, $2 earlier keys, $3 run
insert into subledger.lineage_links (subscription_key, linked_subscription_key, recorded_run_id)
select distinct link.later, link.earlier, $3::bigint
from unnest($1::bigint[], $2::bigint[]) as link (later, earlier)
on conflict (subscription_key, linked_subscription_key) do nothing
