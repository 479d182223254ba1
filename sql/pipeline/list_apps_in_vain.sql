-- Apps of a run whose every check was made in vain: nothing was answered, and the failures were the store's.
-- Grain: one row per app. $1 run
select app_id, sum((counts ->> 'in_vain')::bigint)::bigint as checks
from subledger.run_chunks
where run_id = $1::bigint
group by app_id
having sum((counts ->> 'in_vain')::bigint) > 0 and sum((counts ->> 'checked')::bigint) = 0
order by app_id collate "C"
