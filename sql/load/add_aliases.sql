-- Known periods that came back under another transaction id.
-- Grain: one row per alias. $1 keys, $2 aliases, $3 first ids, $4 run
insert into subledger.transaction_aliases (subscription_key, alias_transaction_id, transaction_id, recorded_run_id)
select distinct key, alias, transaction_id, $4::bigint
from unnest($1::bigint[], $2::text[], $3::text[]) as known (key, alias, transaction_id)
on conflict (subscription_key, alias_transaction_id) do nothing
