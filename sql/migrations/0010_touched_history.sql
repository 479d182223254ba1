-- What a run wrote of, and who shares a lineage: reports move on by these.

-- Histories grow in the order of their runs, so that a few summaries of blocks are all the index there is.
create index transaction_versions_by_run on subledger.transaction_versions using brin (run_id) with (pages_per_range = 16);
-- Most lineages have one subscription and bear its key.
create index transaction_versions_by_line on subledger.transaction_versions (lineage_key)
where lineage_key <> subscription_key;
