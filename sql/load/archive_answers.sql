-- The store's answers as received; the same content is kept once.
-- Grain: one row per subscription and content. $1 keys, $2 hashes, $3 apps, $4 endpoints, $5 bodies, $6 run,
-- $7 the run's now
insert into subledger.store_answers (subscription_key, content_hash, app_id, endpoint, body, run_id, answered_at)
select distinct on (key, content_hash) key, content_hash, app_id, endpoint, body, $6::bigint, $7::timestamptz
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as answer (
    key, content_hash, app_id, endpoint, body)
order by key, content_hash
on conflict (subscription_key, content_hash) do nothing
