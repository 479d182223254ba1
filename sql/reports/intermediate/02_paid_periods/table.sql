-- key: lineage_key, place
-- rests on: known_changes, known_transactions, purchase_rates, retired_apps, subscription_periods, years_paid,
-- rests on: marts.converted, marts.day_of, marts.nearest, marts.plan_lengths, marts.zone_of, subledger.calendar_months,
-- rests on: subledger.is_months_long, subledger.is_plan_length, subledger.is_shortened_by_change, subledger.length_of,
-- rests on: subledger.length_sold, subledger.products, subledger.runs, subledger.time_zone_of_store
-- Paid periods of auto-renewing subscriptions with their MRR, how each came to be paid, and how an unbroken stretch of them
-- (a segment) ended.
-- Grain: one row per paid period of a lineage; the periods [starts_at, ends_at) of a lineage never overlap, and those of one
-- segment meet. place: its number within the lineage. Days are those of the report time zone.
--
-- entry: new, imported, reactivation, recovery or moved_in for the first period of a segment; change for the others.
-- outcome, of the last period of a segment:
--   open          the store has not declared an end: active, whatever the expiry says (ends_at is infinity); one that cannot be
--                 reached any more stays in its last state
--   voluntary, involuntary, price, product, refund, other    declared ended, for that reason
--   lapsed        payment is or was awaited (billing retry, account hold), or the lineage came back by a recovery
--   paused, free, replaced    left the paying ones without churn
--   retired       its app is asked about no more: it left at its expiry, or on the day of that, and whether for good is unknown
--
-- MRR of a period = its price × factor; m months: 1/m, d days: 30.4375/d = 487/(16 × d); in nanos, thousandths of a micro,
-- rounded once, half to even. NULL where the money is unknown. previous_*: of the period before it in its segment.
-- *_reporting_*: the same in the reporting currency at the rate of the period's purchase, rounded once more (NULL where there is no
-- rate). renewal_micros: what its renewal is expected to cost, in renewal_currency. renewal_source: store, where the store says what
-- it costs, else paid: the price paid now.
-- tenure: how many payments without an end between them, this one included: 1 for the first ever and for the first after an end.
-- A lapse that was paid again, a pause and time for nothing are no ends; seats added to a period are no payment of their own.
-- customer: new, returning (paid again after an end), imported (older than the first period we know: its tenure counts from
-- there).
-- seats: of a group's subscription, those of the period so far, less those given back; NULL for what is no group's.
-- is_cut_short: a refund ended it before its time.
-- paid_until is where the whole segment's paid time ends, grace included, whatever the store has declared since.
create table paid_periods (
    lineage_key bigint not null,
    place bigint not null,
    segment_no bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    base_plan_id text,
    app_id text not null,
    store text not null,
    country text,
    kind text not null,
    entry text not null,
    outcome text,
    is_last boolean not null,
    is_refunded boolean not null,
    is_added_seats boolean not null,
    purchased_at timestamptz not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    declared_end timestamptz,
    is_cut_short boolean,
    start_day date not null,
    end_day date not null,
    segment_start_day date not null,
    declared_end_day date,
    paid_until_day date,
    has_paid_a_year boolean not null,
    currency text,
    mrr_nanos bigint,
    mrr_net_nanos bigint,
    mrr_proceeds_nanos bigint,
    previous_product_id text,
    previous_currency text,
    previous_mrr_nanos bigint,
    mrr_reporting_nanos bigint,
    mrr_net_reporting_nanos bigint,
    mrr_proceeds_reporting_nanos bigint,
    previous_mrr_reporting_nanos bigint,
    renewal_micros bigint,
    renewal_reporting_micros numeric,
    tenure bigint not null,
    customer text not null,
    seats bigint,
    renewal_source text not null,
    renewal_currency text,
    primary key (lineage_key, place)
);

-- Those that begin or end on some days: 0.5 s of a night with 1.3 million periods, read whole, became 0.03.
create index on paid_periods (start_day);
-- In force on a day: those that end later and began by then. By the beginning alone nearly all of a history is read: 2.3 s of
-- a night with 1 million periods became 0.12, twice a night.
create index on paid_periods (end_day, start_day);
create index on paid_periods (segment_start_day) where is_last;

-- What renews in another currency than it was paid in, by the day whose rates apply to it: rates come every night.
create index on paid_periods (((purchased_at at time zone 'UTC')::date)) where renewal_currency is distinct from currency;

-- Who left within some days: nine of ten periods that end are followed by another.
create index on paid_periods (end_day) where is_last;
