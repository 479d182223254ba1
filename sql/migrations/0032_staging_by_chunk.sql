-- A chunk's staging rows are found among those that earlier chunks have left dead: until they are vacuumed, each
-- statement read all of them, and a chunk became dearer with every one before it.
create index stage_transactions_by_chunk on subledger.stage_transactions (run_id, chunk_no);
create index stage_changes_by_chunk on subledger.stage_changes (run_id, chunk_no);
create index stage_subscriptions_by_chunk on subledger.stage_subscriptions (run_id, chunk_no);
create index stage_keys_by_chunk on subledger.stage_keys (run_id, chunk_no);
