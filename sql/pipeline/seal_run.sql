-- Seals a run: its data is complete, and its apps are closed (its number: `subledger.give_seal`). The run's row was taken whole before
-- (`lock_to_seal`).
-- With it is counted what is unread of its apps by then, whichever run failed to read it: the last check failed,
-- or the app's last night did not come to it. A night that was stopped before it was planned had due what is due now.
-- Grain: one row. $1 run, $2 generation
with led as (
    select run_id
    from subledger.runs
    where run_id = $1::bigint and leader_generation = $2::bigint and seal is null
    for update
),

next as (
    select subledger.give_seal() as number from led
),

nights as (
    select
        part.app_id, night.run_id, night.logical_now,
        night.state = 'stopped' or exists (
            select from subledger.run_chunks chunk
            where chunk.run_id = night.run_id and chunk.app_id = part.app_id and chunk.state <> 'done' and not chunk.is_beside
        ) as is_unfinished
    from subledger.run_apps part
    left join lateral (
        select run.run_id, run.logical_now, last_part.state
        from subledger.runs run
        join subledger.run_apps last_part on last_part.run_id = run.run_id and last_part.app_id = part.app_id
        where run.job = 'nightly' and run.run_id <= part.run_id
        order by run.run_id desc
        limit 1
    ) night on true
    where part.run_id = $1::bigint
),

unasked as (
    select
        nights.app_id, count(*) as due,
        count(*) filter (where waiting.failures = 0 and coalesce(waiting.last_run_id < nights.run_id, true)) as unread
    from nights
    join subledger.subscriptions waiting
        on waiting.app_id = nights.app_id and waiting.next_check_at <= nights.logical_now
    where nights.is_unfinished
    group by nights.app_id
),

failing as (
    select nights.app_id, count(*) as unread
    from nights
    cross join lateral (
        select from subledger.subscriptions failed
        where failed.app_id = nights.app_id and failed.failures > 0 and failed.next_check_at is not null
        union all
        select from subledger.watched_sales failed
        where failed.app_id = nights.app_id and failed.failures > 0
    ) failed
    group by nights.app_id
),

-- What the configuration says of apps that are retired counts from this seal on.
retired as (
    insert into subledger.app_retirements (app_id, recorded_run_id, retired_on)
    select app.app_id, $1::bigint, app.retired_on
    from subledger.apps app
    cross join next
    where app.retired_on is distinct from (
        select recorded.retired_on
        from subledger.app_retirements recorded
        join subledger.runs run on run.run_id = recorded.recorded_run_id
        where recorded.app_id = app.app_id
        order by run.seal desc
        limit 1
    )
),

-- So does what it calls them.
titled as (
    insert into subledger.app_titles (app_id, recorded_run_id, title)
    select app.app_id, $1::bigint, app.title
    from subledger.apps app
    cross join next
    where app.title is distinct from (
        select recorded.title
        from subledger.app_titles recorded
        join subledger.runs run on run.run_id = recorded.recorded_run_id
        where recorded.app_id = app.app_id
        order by run.seal desc
        limit 1
    )
),

counted as (
    update subledger.run_apps part set
        due = case when nights.run_id = part.run_id and part.state = 'stopped' then coalesce(part.due, unasked.due, 0)
            else part.due end,
        unread = coalesce(failing.unread, 0) + coalesce(unasked.unread, 0),
        state = case when part.state = 'open' then 'done' else part.state end,
        closed_at = coalesce(part.closed_at, clock_timestamp())
    from nights
    cross join next
    left join unasked on unasked.app_id = nights.app_id
    left join failing on failing.app_id = nights.app_id
    where part.run_id = $1::bigint and part.app_id = nights.app_id
)

update subledger.runs set seal = next.number, sealed_at = clock_timestamp()
from next
where run_id = $1::bigint
returning seal
