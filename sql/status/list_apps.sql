-- What waits for a check, how fresh what we know is, and what was unread when the app's last run was sealed.
-- Grain: one row per app that is not retired. $1 now
select
    a.app_id,
    a.title,
    a.store,
    a.environment,
    coalesce(stored.subscriptions, 0) as subscriptions,
    coalesce(stored.followed, 0) as followed,
    coalesce(stored.due, 0) as due,
    coalesce(
        (
            select part.unread
            from subledger.run_apps part
            join subledger.runs r on r.run_id = part.run_id
            where part.app_id = a.app_id and part.unread is not null and r.seal is not null
            order by r.seal desc
            limit 1
        ), stored.unread, 0) as unread,
    stored.due_since,
    stored.last_checked_at,
    (
        select max(r.logical_now)
        from subledger.runs r
        join subledger.run_apps part on part.run_id = r.run_id
        where part.app_id = a.app_id and part.state = 'done' and r.job = 'nightly'
    ) as last_night
from subledger.apps a
left join (
    select
        s.app_id,
        count(*) as subscriptions,
        count(s.next_check_at) as followed,
        count(*) filter (where s.next_check_at <= $1::timestamptz) as due,
        count(*) filter (where s.failures > 0 and s.next_check_at is not null) as unread,
        min(s.next_check_at) filter (where s.next_check_at <= $1::timestamptz and isfinite(s.next_check_at)) as due_since,
        max(s.last_checked_at) as last_checked_at
    from subledger.subscriptions s
    group by s.app_id
) stored on stored.app_id = a.app_id
where a.retired_on is null
order by a.app_id
