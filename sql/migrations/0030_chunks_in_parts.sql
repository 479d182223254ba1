-- A chunk whose answers are long is asked and loaded in parts, so that memory does not grow with a customer's history.
alter table subledger.run_chunks add column remaining_keys bigint[];

comment on column subledger.run_chunks.remaining_keys is
    'Those of its subscriptions that are still to be asked, once others are loaded; NULL: all of them, or none';
