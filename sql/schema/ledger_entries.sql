-- Money, append-only: never updated, never deleted. Grain: one row per money movement of a transaction.
-- A charge is a transaction's first entry, and the key allows one first entry: a second charge cannot be written.
create table subledger.ledger_entries (
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    seq integer not null,
    kind text not null,
    corrects integer,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    run_id bigint not null,
    amount_micros bigint not null,
    tax_micros bigint,
    proceeds_micros bigint,
    currency text not null,
    source text not null,
    constraint ledger_entries_pkey primary key (subscription_key, transaction_id, product_id, seq),
    constraint known_kinds check (kind in ('charge', 'refund', 'refund_reversal', 'correction')),
    constraint known_sources check (source in ('store_order', 'store_price', 'price_list')),
    constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$'),
    constraint amounts_are_not_zero check (amount_micros <> 0),
    constraint amounts_carry_their_sign check (case kind
            when 'charge' then amount_micros > 0
            when 'refund' then amount_micros < 0
            when 'refund_reversal' then amount_micros > 0
            else true
        end),
    constraint charges_are_first_entries check ((kind = 'charge') = (seq = 1)),
    constraint entries_count_from_one check (seq > 0),
    constraint corrections_name_what_they_correct check ((kind = 'correction') = (corrects is not null))
);

create index ledger_entries_by_run on subledger.ledger_entries (run_id);
create index ledger_entries_by_time on subledger.ledger_entries (occurred_at);

comment on table subledger.ledger_entries is 'Append-only money: never updated, never deleted';
comment on column subledger.ledger_entries.subscription_key is 'The subscription';
comment on column subledger.ledger_entries.transaction_id is 'The transaction';
comment on column subledger.ledger_entries.product_id is 'Its product';
comment on column subledger.ledger_entries.seq is 'Counts the transaction''s entries from 1';
comment on column subledger.ledger_entries.kind is 'charge, refund, refund_reversal or correction';
comment on column subledger.ledger_entries.corrects is 'seq of the entry a correction corrects';
comment on column subledger.ledger_entries.occurred_at is 'When the money moved, by the store';
comment on column subledger.ledger_entries.recorded_at is 'Logical now of the run that learned it';
comment on column subledger.ledger_entries.run_id is 'Run that recorded it';
comment on column subledger.ledger_entries.amount_micros is 'Signed micros of the currency: refunds are negative';
comment on column subledger.ledger_entries.tax_micros is 'Tax within it, where the store gave it';
comment on column subledger.ledger_entries.proceeds_micros is 'Proceeds within it, where the store gave them';
comment on column subledger.ledger_entries.currency is 'ISO 4217';
comment on column subledger.ledger_entries.source is 'Where the amount comes from';
