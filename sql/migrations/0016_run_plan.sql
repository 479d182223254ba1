-- What an open run has planned, subscription by subscription: planned again, it finds each by its key instead of looking
-- through the arrays of all its chunks.

-- Grain: one row per subscription and chunk of an open run; at most two chunks of a run hold the same subscription, but for
-- those that share a receipt. Its rows go when the run ends.
create table subledger.run_plan (
    run_id bigint not null,
    subscription_key bigint not null,
    chunk_no integer not null,
    primary key (run_id, subscription_key, chunk_no)
);

insert into subledger.run_plan (run_id, subscription_key, chunk_no)
select chunk.run_id, asked.subscription_key, chunk.chunk_no
from subledger.run_chunks chunk
join subledger.runs run on run.run_id = chunk.run_id
cross join unnest(chunk.subscription_keys) as asked (subscription_key)
where run.outcome = 'running' and run.job = 'nightly'
on conflict do nothing;

comment on table subledger.run_plan is 'What an open run has planned, one row per subscription and chunk';
comment on column subledger.run_plan.run_id is 'The open run';
comment on column subledger.run_plan.subscription_key is 'The subscription that is asked about';
comment on column subledger.run_plan.chunk_no is 'The chunk it is asked about in';
