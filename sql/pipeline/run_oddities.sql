-- What the stores' answers held in a run that this version does not know, by name.
-- Grain: one row per name. $1 run
select told.name, sum(told.count::bigint)::bigint as times
from subledger.run_chunks chunk
cross join lateral jsonb_each_text(chunk.counts) as told (name, count)
where chunk.run_id = $1::bigint and starts_with(told.name, 'oddity.')
group by told.name
order by told.name collate "C"
