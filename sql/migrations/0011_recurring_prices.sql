-- What a plan costs for a whole period, where the period was sold as the rest of another after a change of plan (a
-- proration): what was charged for such a rest says nothing of the plan.

alter table subledger.transactions
    add column recurring_price_micros bigint constraint recurring_prices_are_prices check (recurring_price_micros > 0);
alter table subledger.transaction_versions add column recurring_price_micros bigint;
alter table subledger.stage_transactions add column recurring_price_micros bigint;
alter table subledger.stage_changes add column recurring_price_micros bigint;

comment on column subledger.transactions.recurring_price_micros is 'What a whole period of the plan costs, for the rest of a period after a change of plan; else NULL';
comment on column subledger.transaction_versions.recurring_price_micros is 'What a whole period of the plan costs, for the rest of a period after a change of plan; else NULL';
