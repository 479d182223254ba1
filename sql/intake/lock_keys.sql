-- Locks the keys that purchases may change, in key order, as every load does. Grain: one row per key. $1 run, $2 chunk, $3 keys
insert into subledger.stage_keys (subscription_key, run_id, chunk_no)
select distinct given.key, $1::bigint, $2::integer
from unnest($3::bigint[]) as given (key)
order by given.key
