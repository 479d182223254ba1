-- What of a run nobody has begun or finished. Grain: one row per app. $1 run
select app_id, sum(cardinality(subscription_keys))::bigint as subscriptions
from subledger.run_chunks
where run_id = $1::bigint and state in ('pending', 'leased')
group by app_id
order by app_id collate "C"
