-- Apps of a run too many of whose checks were made in vain: more than four, and more than one in a hundred. What was out of
-- reach before the run does not count.
-- Grain: one row per app. $1 run
select
    app_id, sum((counts ->> 'checked')::bigint + (counts ->> 'unread')::bigint)::bigint as checks,
    sum((counts ->> 'missed')::bigint)::bigint as missed
from subledger.run_chunks
where run_id = $1::bigint
group by app_id
having sum((counts ->> 'missed')::bigint) > 4
    and sum((counts ->> 'missed')::bigint) * 100 > sum((counts ->> 'checked')::bigint + (counts ->> 'unread')::bigint)
order by app_id collate "C"
