-- What could not be taken: one open dead letter per subscription, stage, reason and row, counted again with each business
-- date (a purchase that waits in the inbox: with each run).
-- Grain: one row per cause. $1 keys, $2 stages, $3 reasons, $4 details, $5 transactions (NULL: the whole answer), $6 app, $7 run,
-- $8 the run's now, $9 by an intake beside a night; what the night meets by itself is its own. An intake that meets
-- an earlier run's does not make it the night's, which may yet read the row well
insert into subledger.dead_letters as stored (
    app_id, subscription_key, stage, reason, detail, transaction_id, first_run_id, last_run_id, created_at, is_beside
)
select distinct on (key, stage, reason, transaction_id)
    $6::text, key, stage, reason, detail, transaction_id, $7::bigint, $7::bigint, $8::timestamptz, $9::boolean
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as cause (key, stage, reason, detail, transaction_id)
order by key, stage, reason, transaction_id
on conflict (subscription_key, stage, reason, transaction_id) where resolved_at is null do update set
    attempts = stored.attempts + case
        when stored.stage = 'intake' then 1
        when excluded.is_beside then 0
        when (select business_date from subledger.runs where run_id = stored.last_run_id)
            is distinct from (select business_date from subledger.runs where run_id = excluded.last_run_id)
            then 1
        else 0
    end,
    detail = excluded.detail,
    last_run_id = case
        when excluded.is_beside and stored.first_run_id <> excluded.first_run_id and stored.stage <> 'intake'
            then stored.last_run_id
        else excluded.last_run_id
    end,
    is_beside = stored.is_beside and (excluded.is_beside or stored.first_run_id <> excluded.first_run_id)
where stored.last_run_id <> excluded.last_run_id
    or stored.stage = 'intake'
    or stored.is_beside and not excluded.is_beside
