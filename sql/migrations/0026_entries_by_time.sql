-- The checks of a night look at the money of some days, not at all there is.
create index ledger_entries_by_time on subledger.ledger_entries (occurred_at);
