-- What could not be taken: one open dead letter per subscription, stage and reason, counted again each night.
-- Grain: one row per cause. $1 keys, $2 stages, $3 reasons, $4 details, $5 app, $6 run, $7 the run's now
insert into subledger.dead_letters as stored (
    app_id, subscription_key, stage, reason, detail, first_run_id, last_run_id, created_at
)
select distinct on (key, stage, reason)
    $5::text, key, stage, reason, detail, $6::bigint, $6::bigint, $7::timestamptz
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as cause (key, stage, reason, detail)
order by key, stage, reason
on conflict (subscription_key, stage, reason) where resolved_at is null do update set
    attempts = stored.attempts + 1,
    detail = excluded.detail,
    last_run_id = excluded.last_run_id
where stored.last_run_id <> excluded.last_run_id
