-- key: lineage_key, place
-- rests on: known_changes, known_transactions, marts.cut_at, marts.given_back_for_seats, marts.is_paid, marts.is_trial,
-- rests on: subledger.has_orders_of_added_products, subledger.is_expiry_of_purchase, subledger.is_paid_at_no_charge,
-- rests on: subledger.is_refund_money_alone, subledger.share_of
-- Periods of auto-renewing subscriptions, paid and free, each with its effective end.
-- Grain: one row per period of a lineage that covers any time at all, and one more for each instant at which seats of it were given
-- back while it went on; production and purchased only. place: its number within the lineage, by start. An order of several products (add-ons) is one period: that of its dearest product that was not taken
-- back. An add-on that was bought to a running Play purchase has an order of its own within the time of the other product's:
-- that order is no period, nor is it where the store made a new purchase of both.
--
-- is_trial: free time before the first paid period, on no offer to customers whom the app knew.
-- is_refunded: of several products each was given back (Google Play's: the one that the row bears). is_cut_short: a refund ended it before
-- its time.
-- declared_end: the expiry, the refund or revocation if earlier, or the start of the successor that replaced it.
-- ended_by: refund or revoke, where that cut the period short; NULL else.
-- covered_until: the same, but with the end of the grace in place of the expiry where the store granted one.
-- period_end: the end the store stated first, whatever cut the period short or extended it: what the price was for. Of added seats
-- that of the period's first row.
--
-- Money is that of the whole order, as charged: NULL where the price is unknown, tax and proceeds where the store gave them
-- for all of it. recurring_price_micros is what whole periods of the plan cost, add-ons included, where the period was sold
-- as the rest of another after a change of plan (Google Play's proration); NULL else.
--
-- Seats that a group's purchaser added within a period are a row of their own beside the first, for the same period, which
-- began at first_starts_at (NULL for what is no group's). seats: those of the row's own that were not given back; NULL for what is no group's.
-- Seats given back while the period goes on are a row from that instant on whose money is what they were worth, below zero: the
-- price given back of some of them, all that a row still was worth where it was taken back whole. Several rows of a period end
-- by a refund or revocation when each of them was taken back, with the last.
create table subscription_periods (
    lineage_key bigint not null,
    place bigint not null,
    subscription_key bigint not null,
    transaction_id text not null,
    product_id text not null,
    base_plan_id text,
    app_id text not null,
    store text not null,
    country text,
    kind text not null,
    is_paid boolean not null,
    is_trial boolean not null,
    is_refunded boolean not null,
    is_cut_short boolean,
    purchased_at timestamptz not null,
    starts_at timestamptz not null,
    declared_end timestamptz,
    covered_until timestamptz,
    ended_by text,
    period_end timestamptz,
    offer_type text,
    price_micros bigint,
    tax_micros bigint,
    proceeds_micros bigint,
    recurring_price_micros bigint,
    currency text,
    first_starts_at timestamptz,
    seats bigint,
    primary key (lineage_key, place)
);
