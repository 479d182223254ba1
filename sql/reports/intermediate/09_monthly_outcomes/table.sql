-- rests on: money_movements, mrr_changes, paid_periods, marts.nearest
-- What the monthly rates are made of: renewals, and what the lineages that a month opened with lost and gained in it.
-- Grain: one row per lineage, day and figure, under the product and currency it is counted for; currency is empty where the
-- price is unknown. figure:
--   due, renewed, plan_change    number: periods whose own end was that day; what renewed is due as well
--   churned                      number 1: an active lineage of the month's opening, on the day it first churned in the month,
--                                under the product and currency it opened with
--   lost, gained, reactivated    nanos: what the day adds to the month's loss and gain of an opening lineage, under the
--                                product it opened with; in sum no more is lost than was opened with, and a recovery
--                                counts by what it exceeds the lapse before it; reporting_nanos: in the reporting currency, at the rate of the
--                                period that the month opened with
--   company_lost, company_gained, company_reactivated
--                                reporting_nanos: the same of the whole company: changes under every product and currency, moves
--                                between them as one change
--   moved_up, moved_down         reporting_nanos: what a move between products or currencies is worth more or less, at each
--                                period's own rate
--   payer                        number 1: the lineage's first auto-renewing charge of the month
-- tenure, customer: of the period that was due, or that the month opened with; NULL for figures of money.
create table monthly_outcomes (
    lineage_key bigint not null,
    day date not null,
    app_id text not null,
    store text not null,
    product_id text not null,
    currency text not null,
    figure text not null,
    number bigint not null,
    nanos bigint not null,
    reporting_nanos bigint not null,
    tenure bigint,
    customer text
);
-- No columns of it are a key by nature, and a publication asks for one wherever rows are deleted.
alter table monthly_outcomes replica identity full;

create index on monthly_outcomes (lineage_key);
