-- How fresh each app's data is, as a seal saw it: its last night, the last one its store did not stop, and what could not be
-- read by then, whichever run failed to. Of one that is retired nothing more is read, and nothing is missing.
-- Grain: one row per app with a night in the two months before the seal. $1 seal
-- Reports are made while the run is open: an app of a sealed run is done unless it was stopped.
with nights as (
    select
        run.run_id, run.seal, run.business_date, run.logical_now, part.app_id, part.state = 'stopped' as is_stopped,
        part.reason, coalesce(part.due, 0) as due,
        row_number() over (partition by part.app_id order by run.seal desc) as age
    from subledger.runs run
    join subledger.run_apps part on part.run_id = run.run_id
    where run.job = 'nightly'
        and run.seal <= $1::bigint
        and run.logical_now > (select logical_now from subledger.runs where seal = $1::bigint) - interval '62 days'
),

-- These are made once, and not for each of thousands of apps.
good as materialized (
    select app_id, max(logical_now) as checked_at, max(business_date) as checked_through
    from nights
    where not is_stopped
    group by app_id
),

work as materialized (
    select chunk.app_id, chunk.run_id, sum((chunk.counts ->> 'checked')::bigint)::bigint as checked
    from subledger.run_chunks chunk
    -- Not joined: the chunks of a run would be read for each of its apps.
    where chunk.run_id in (select night.run_id from nights night where night.age = 1) and not chunk.is_beside
    group by chunk.app_id, chunk.run_id
),

counts as materialized (
    select distinct on (part.app_id) part.app_id, part.unread
    from subledger.run_apps part
    join subledger.runs run on run.run_id = part.run_id
    where run.seal <= $1::bigint and part.unread is not null
    order by part.app_id, run.seal desc
)

select
    app.app_id, app.store, night.business_date::text as last_run_date,
    case when night.is_stopped then 'stopped' else 'done' end as last_run_outcome,
    night.reason, night.due,
    coalesce(work.checked, 0) as checked,
    case
        when retired.retired_on is not null then 0
        else coalesce(counts.unread, greatest(night.due - coalesce(work.checked, 0), 0))
    end as unread,
    good.checked_at as last_checked_at,
    good.checked_through::text as checked_through,
    coalesce((
        select configured.has_own_billing
        from subledger.own_billing configured
        where configured.app_id = app.app_id and configured.after_seal < $1::bigint
        order by configured.change_id desc
        limit 1
    ), false) as has_own_billing,
    retired.retired_on::text as retired_on
from nights night
join subledger.apps app on app.app_id = night.app_id
left join lateral (
    select recorded.retired_on
    from subledger.app_retirements recorded
    join subledger.runs run on run.run_id = recorded.recorded_run_id
    where recorded.app_id = night.app_id and run.seal <= $1::bigint
    order by run.seal desc
    limit 1
) retired on true
left join good on good.app_id = night.app_id
left join counts on counts.app_id = night.app_id
left join work on work.app_id = night.app_id and work.run_id = night.run_id
where night.age = 1
order by app.app_id collate "C"
