-- Seats of groups and organizations, who was assigned one, and where the amount of a refund comes from.

alter table subledger.transactions
    add column seats bigint constraint seats_are_not_negative check (seats >= 0),
    add column refund_source text constraint known_refund_sources check (refund_source in ('store_amount', 'derived')),
    drop constraint transactions_ownership_check,
    add constraint known_ownerships check (ownership in ('purchased', 'family_shared', 'assigned'));
alter table subledger.transaction_versions
    add column seats bigint,
    add column refund_source text;
alter table subledger.stage_transactions
    add column seats bigint,
    add column refund_source text;
alter table subledger.stage_changes
    add column seats bigint,
    add column refund_source text;

-- When a store first told of money given back that the answers do not date (seats); forgotten with the answer.
alter table subledger.subscriptions add column refund_told_at timestamptz;

-- Images of before say nothing of it, and history is never rewritten: the rows of today keep to their newest image. The
-- next answer that changes a row tells.

comment on column subledger.transactions.period_key is 'One per billed period, whatever transaction id a restore gives it; seats added within a period under the line item of the first have the instant of their purchase behind it';
comment on column subledger.transaction_versions.period_key is 'One per billed period, whatever transaction id a restore gives it; seats added within a period under the line item of the first have the instant of their purchase behind it';
comment on column subledger.transactions.ownership is 'purchased, family_shared or assigned (a seat of a group or organization): only purchased has money and subscribers';
comment on column subledger.transactions.seats is 'Seats still held of a multiseat purchase; NULL for every other row';
comment on column subledger.transactions.refund_source is 'store_amount (told by the store, or the whole price) or derived (worked out of a share or of seats); NULL while refund_micros is, and on rows of before this column';
comment on column subledger.transaction_versions.ownership is 'purchased, family_shared or assigned (a seat of a group or organization): only purchased has money and subscribers';
comment on column subledger.transaction_versions.seats is 'Seats still held of a multiseat purchase; NULL for every other row';
comment on column subledger.transaction_versions.refund_source is 'store_amount or derived; NULL while refund_micros is, and on images of before this column';
comment on column subledger.subscriptions.refund_told_at is 'When a notification told of money given back; NULL: not since it was last answered';
