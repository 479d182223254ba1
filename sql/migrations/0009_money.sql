-- Money beyond what the stores tell: the reporting currency, rates by source, commission by product type and with an end,
-- and the rules that the stores have published. Reference data is append-only; run 0 came with the program.

alter table subledger.settings
    add column reporting_currency text not null default 'USD' check (reporting_currency ~ '^[A-Z]{3}$');

alter table subledger.fx_rates
    add column source text not null default 'import' check (source <> ''),
    add column is_flagged boolean not null default false,
    alter column rate drop not null,
    drop constraint fx_rates_pkey,
    add primary key (source, base, currency, rate_date, recorded_run_id);

alter table subledger.commission_rules
    add column product_type text not null default ''
        check (product_type in ('', 'auto_renewable', 'prepaid', 'one_time')),
    add column valid_to date,
    add constraint known_rules check (rule in ('standard', 'after_one_year', 'small_business', 'billing')),
    add constraint rules_run_forward check (valid_to is null or valid_to > valid_from),
    add constraint programmes_name_their_app check (rule <> 'small_business' or app_id <> ''),
    drop constraint commission_rules_pkey,
    add primary key (rule, store, app_id, country, product_type, valid_from, recorded_run_id);

create trigger append_only before update or delete on subledger.products
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.prices
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.fx_rates
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.commission_rules
for each row execute function subledger.refuse_rewriting_history();
create trigger append_only before update or delete on subledger.tax_rates
for each row execute function subledger.refuse_rewriting_history();

-- The price list's answer for a sale: the country's own price before that of any country, the newest that was valid when
-- it was bought, the last word on it. Grain: one row, none where the list has no price. Days are days in UTC.
create function subledger.list_price(app_id text, product_id text, country text, purchased_at timestamptz)
returns table (price_micros bigint, currency text) language sql stable
as $$
    select listed.price_micros, listed.currency
    from subledger.prices listed
    where listed.app_id = list_price.app_id
        and listed.product_id = list_price.product_id
        and listed.country in ('', list_price.country)
        and listed.valid_from <= (list_price.purchased_at at time zone 'UTC')::date
    order by listed.country desc, listed.valid_from desc, listed.recorded_run_id desc, listed.currency
    limit 1
$$;

-- Which rows may take their price from the list: bookable ones without an offer (an offer's price is not the list's), and
-- none whose refund is a share that was told without the price it is a share of.
create function subledger.is_list_priced(
    environment text, ownership text, kind text, offer_type text, refund_kind text, refund_micros bigint
) returns boolean language sql immutable parallel safe
return subledger.bookable_micros(environment, ownership, kind, 1) = 1
    and offer_type is null
    and (refund_kind is distinct from 'partial' or refund_micros is not null);

-- What the stores have published, as far as it is certain. The App Store: 30 %, and 15 % after one year of paid service.
insert into subledger.commission_rules (rule, store, product_type, rate, valid_from, valid_to, recorded_run_id)
values
    ('standard', 'app_store', '', 0.30, '-infinity', null, 0),
    ('after_one_year', 'app_store', 'auto_renewable', 0.15, '-infinity', null, 0),
    -- Google Play: 30 %; subscriptions 15 % after twelve months from 2018 on, 15 % from the first day from 2022 on.
    ('standard', 'google_play', '', 0.30, '-infinity', null, 0),
    ('after_one_year', 'google_play', 'auto_renewable', 0.15, '2018-01-01', '2022-01-01', 0),
    ('standard', 'google_play', 'auto_renewable', 0.15, '2022-01-01', null, 0),
    ('standard', 'google_play', 'prepaid', 0.15, '2022-01-01', null, 0);

-- From 2026 on Play parts the service fee (auto-renewing: 10 %) from the fee for its billing (5 %), region by region: the
-- United States, the United Kingdom and the European Economic Area first.
insert into subledger.commission_rules (rule, store, country, product_type, rate, valid_from, recorded_run_id)
select part.rule, 'google_play', region.country, 'auto_renewable', part.rate, '2026-06-30', 0
from unnest(string_to_array(
    'US GB AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO', ' '
)) as region (country)
cross join (values ('standard', 0.10), ('billing', 0.05)) as part (rule, rate);

-- Then Australia, Korea and the rest of the world. No billing fee is published for them yet: import it when it is. Japan's
-- date is told differently by different sources, so it goes with the rest of the world: import the right one.
insert into subledger.commission_rules (rule, store, country, product_type, rate, valid_from, recorded_run_id)
values
    ('standard', 'google_play', 'AU', 'auto_renewable', 0.10, '2026-09-30', 0),
    ('standard', 'google_play', 'KR', 'auto_renewable', 0.10, '2026-12-31', 0),
    ('standard', 'google_play', '', 'auto_renewable', 0.10, '2027-09-30', 0);

comment on column subledger.settings.reporting_currency is 'ISO 4217: the one currency that reports convert into';
comment on column subledger.fx_rates.source is 'Who published it: ecb, or the name given to the import';
comment on column subledger.fx_rates.rate is 'Units of the currency per one of the base; NULL: not quoted that day';
comment on column subledger.fx_rates.is_flagged is 'It moved more than 20 % since the publication before: looked at, and kept';
comment on column subledger.commission_rules.rule is
    'standard; after_one_year or small_business in its place where that is less; billing on top';
comment on column subledger.commission_rules.product_type is 'auto_renewable, prepaid or one_time; empty: any';
comment on column subledger.commission_rules.valid_to is 'Up to and without this date; NULL: until another row';
comment on function subledger.list_price is 'The price list''s price of one unit for a purchase';
comment on function subledger.is_list_priced is 'Whether a row without a store price may take the list''s';
