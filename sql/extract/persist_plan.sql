-- Keeps what an app's new chunks hold, subscription by subscription: the next planning of the run finds them by their keys.
-- Grain: one row per subscription and chunk. $1 run, $2 app, $3 chunks planned before
insert into subledger.run_plan (run_id, subscription_key, chunk_no)
select chunk.run_id, asked.subscription_key, chunk.chunk_no
from subledger.run_chunks chunk
cross join unnest(chunk.subscription_keys) as asked (subscription_key)
where chunk.run_id = $1::bigint and chunk.app_id = $2::text and chunk.chunk_no > $3::integer and not chunk.is_beside
