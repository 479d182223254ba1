-- The workbook lists the newest transactions: found by when they were bought, or paid back, not by reading all of them.
create index transactions_by_purchase on subledger.transactions (purchased_at);
create index transactions_by_refund on subledger.transactions (refunded_at) where refunded_at is not null;
