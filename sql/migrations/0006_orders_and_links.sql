-- What a store that tells orders adds: tax and proceeds on the way in, refunds part by part, and what it told unasked.

alter table subledger.transactions
    add column refund_parts jsonb,
    add constraint refund_parts_belong_to_refunds check (refund_parts is null or refund_micros is not null);
alter table subledger.transaction_versions add column refund_parts jsonb;

alter table subledger.stage_transactions
    add column tax_micros bigint,
    add column proceeds_micros bigint,
    add column refund_parts jsonb;
alter table subledger.stage_changes
    add column old_tax_micros bigint,
    add column old_proceeds_micros bigint,
    add column old_refund_parts jsonb,
    add column tax_micros bigint,
    add column proceeds_micros bigint,
    add column proceeds_source text not null default 'missing',
    add column refund_parts jsonb;

-- A share of a whole amount that was given back, half up to the micro; NULL where the amount is unknown.
create function subledger.share_of(amount_micros bigint, part_micros bigint, whole_micros bigint) returns bigint
language sql immutable parallel safe
return case
    when whole_micros > 0 then div(2::numeric * amount_micros * part_micros + whole_micros, 2::numeric * whole_micros)::bigint
end;

-- What was given back for a charge, sum by sum. Grain: one row per part; none where nothing was booked as given back.
create function subledger.refunds_of(refund_parts jsonb, refunded_at timestamptz, booked_micros bigint)
returns table (at timestamptz, micros bigint, tax bigint) language sql immutable parallel safe
begin atomic
    select part.at, sum(part.micros)::bigint, sum(part.tax)::bigint
    from jsonb_to_recordset(refunds_of.refund_parts) as part (at timestamptz, micros bigint, tax bigint)
    where refunds_of.booked_micros > 0
    group by part.at
    union all
    select refunds_of.refunded_at, refunds_of.booked_micros, null
    where refunds_of.booked_micros > 0 and refunds_of.refund_parts is null;
end;

-- How far each app's unasked news was read.
create table subledger.store_news (
    app_id text primary key,
    read_until timestamptz not null,
    recorded_run_id bigint not null
);

-- An answer that caused a version, an entry or a state change is kept with it; the others are cleared in time.
alter table subledger.store_answers add column is_evidence boolean not null default true;
create index store_answers_to_clear on subledger.store_answers (answered_at) where not is_evidence;

create index subscriptions_by_lineage on subledger.subscriptions (lineage_key);
create index lineage_links_by_earlier on subledger.lineage_links (linked_subscription_key);

comment on column subledger.transactions.refund_parts is 'Refunds sum by sum, where the store tells them so: at, micros, tax';
comment on column subledger.transaction_versions.refund_parts is 'Refunds sum by sum, where the store tells them so: at, micros, tax';
comment on function subledger.share_of is 'amount × part ÷ whole, half up to the micro';
comment on function subledger.refunds_of is 'What was given back for a charge, sum by sum';
comment on column subledger.store_answers.is_evidence is 'It caused a version, a ledger entry or a state change: never cleared';
comment on table subledger.store_news is 'How far what a store tells unasked (voided purchases) was read, per app';
comment on column subledger.store_news.app_id is 'The app';
comment on column subledger.store_news.read_until is 'The next look begins here, with an overlap';
comment on column subledger.store_news.recorded_run_id is 'Run that read it';
