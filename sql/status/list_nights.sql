-- Each app's last night, the last one that finished it, and its last issue, however many other runs came since. A night is sealed; it
-- finished an app that it did not stop, or stopped late. dead_letters: open ones of the nights of the last night's business date;
-- open_letters: all; asked: the most that one of those nights had to ask; calls: of all of them.
-- Grain: one row per app that is not retired
select
    app.app_id, night.run_id, night.business_date::text as business_date, night.logical_now as last_night, night.is_stopped,
    night.is_late, night.reason, night.seconds, finished.logical_now as last_finished, of_date.asked, of_date.calls, counted.unread,
    coalesce(letters.of_date, 0) as dead_letters, coalesce(letters.open, 0) as open_letters,
    issue.business_date::text as issue_date, issue.path as issue_path, issue.issued_at,
    exists (
        select from subledger.runs living
        join subledger.run_apps part on part.run_id = living.run_id
        where living.outcome = 'running'
            and living.job = 'nightly'
            and living.leased_until > clock_timestamp()
            and part.app_id = app.app_id
    ) as is_under_way
from subledger.apps app
left join lateral (
    select
        run.run_id, run.business_date, run.logical_now, part.state = 'stopped' as is_stopped, part.is_late,
        coalesce(part.failure ->> 'reason', part.reason) as reason,
        extract(epoch from part.closed_at - run.started_at)::bigint as seconds
    from subledger.runs run
    join subledger.run_apps part on part.run_id = run.run_id and part.app_id = app.app_id
    where run.job = 'nightly' and run.seal is not null
    order by run.seal desc
    limit 1
) night on true
left join lateral (
    select max(run.logical_now) as logical_now
    from subledger.runs run
    join subledger.run_apps part on part.run_id = run.run_id and part.app_id = app.app_id
    where run.job = 'nightly' and run.seal is not null and (part.state <> 'stopped' or part.is_late)
) finished on true
left join lateral (
    select array_agg(run.run_id) as runs, max(part.due) as asked, coalesce(sum(host.calls), 0)::bigint as calls
    from subledger.runs run
    join subledger.run_apps part on part.run_id = run.run_id and part.app_id = app.app_id
    left join lateral (
        select sum(asking.calls) as calls
        from subledger.run_hosts asking
        where asking.run_id = part.run_id and asking.app_id = part.app_id
    ) host on true
    where run.job = 'nightly' and run.seal is not null and run.business_date = night.business_date
) of_date on true
left join lateral (
    select part.unread
    from subledger.run_apps part
    join subledger.runs run on run.run_id = part.run_id
    where part.app_id = app.app_id and part.unread is not null and run.seal is not null
    order by run.seal desc
    limit 1
) counted on true
left join lateral (
    select
        count(*) as open, count(*) filter (where letter.first_run_id = any (of_date.runs) and not letter.is_beside) as of_date
    from subledger.dead_letters letter
    where letter.app_id = app.app_id and letter.resolved_at is null
) letters on true
left join lateral (
    select issued.business_date, issued.path, issued.issued_at
    from subledger.report_issues issued
    join subledger.run_apps part on part.run_id = issued.run_id and part.app_id = app.app_id
    order by issued.seal desc
    limit 1
) issue on true
where app.retired_on is null
order by app.app_id
