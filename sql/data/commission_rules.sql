-- What the stores keep of a sale that is paid through them, as their pages said on the day that commission_rules_compared_on()
-- in sql/functions names; docs/fees.md says how the next comparison is made. Rates are totals, of the price without tax; the day of
-- the purchase decides. What is not of every account (programmes by contract, terms that an account chose) is the owner's import;
-- small_business holds for apps whose membership is imported.
-- A row is never taken out: it ends by its valid_to, or a newer day takes its place.
-- confidence: P the store's own text, T that text by independent readers who agree, Q press that quotes it, U not settled.
-- Grain: one row per rule that is new or reads otherwise than the one recorded last. $1 run (0: the database is new)
with region (name, countries) as (
    values
    ('EU27', 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'),
    ('US GB EEA30', 'US GB AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IS IT LI LV LT LU MT NL NO PL PT RO SK SI ES SE')
),

page (name, address) as (
    values
    ('apple agreement', 'Paid Applications agreement, Schedule 2 §3.4'),
    ('apple subscriptions', 'developer.apple.com/app-store/subscriptions'),
    ('apple small business', 'developer.apple.com/app-store/small-business-program'),
    ('apple cn', 'developer.apple.com/news/?id=dadukodv'),
    ('apple jp', 'developer.apple.com/support/app-distribution-in-japan'),
    ('apple br', 'developer.apple.com/support/app-distribution-in-brazil'),
    ('apple eu', 'developer.apple.com/support/apps-in-the-eu'),
    ('play fees', 'support.google.com/googleplay/android-developer/answer/112622'),
    ('play 2021', 'android-developers.googleblog.com, 2021-10-21'),
    ('play first million', 'support.google.com/googleplay/android-developer/answer/10632485'),
    ('play 2026', 'support.google.com/googleplay/android-developer/answer/16954621')
),

rules (rule, store, place, product_type, rate, valid_from, valid_to, page, confidence) as (
    values
    ('standard', 'app_store', '', '', 0.30, '-infinity', null, 'apple agreement', 'P'),
    ('after_one_year', 'app_store', '', 'auto_renewable', 0.15, '2016-06-13', null, 'apple subscriptions', 'Q'),
    ('small_business', 'app_store', '', '', 0.15, '2021-01-01', null, 'apple small business', 'P'),
    -- The notice names iOS and iPadOS; sales of other platforms cannot be distinguished.
    ('standard', 'app_store', 'CN', '', 0.25, '2026-03-15', null, 'apple cn', 'U'),
    ('after_one_year', 'app_store', 'CN', 'auto_renewable', 0.12, '2026-03-15', null, 'apple cn', 'U'),
    ('small_business', 'app_store', 'CN', '', 0.12, '2026-03-15', null, 'apple cn', 'U'),
    -- 21 % and 5 % for the payment: 26 % of iPhone apps.
    ('standard', 'app_store', 'JP', '', 0.26, '2025-12-17', null, 'apple jp', 'U'),
    ('after_one_year', 'app_store', 'JP', 'auto_renewable', 0.15, '2025-12-17', null, 'apple jp', 'T'),
    ('small_business', 'app_store', 'JP', '', 0.15, '2025-12-17', null, 'apple jp', 'T'),
    ('standard', 'app_store', 'BR', '', 0.26, '2026-06-18', null, 'apple br', 'U'),
    ('after_one_year', 'app_store', 'BR', 'auto_renewable', 0.15, '2026-06-18', null, 'apple br', 'T'),
    ('small_business', 'app_store', 'BR', '', 0.15, '2026-06-18', null, 'apple br', 'T'),
    -- From this day or that of the account's consent to Attachment 14, if that is later: an account that consented later, or not at
    -- all, imports a row of its own.
    ('standard', 'app_store', 'EU27', '', 0.26, '2026-10-01', null, 'apple eu', 'U'),
    ('after_one_year', 'app_store', 'EU27', 'auto_renewable', 0.15, '2026-10-01', null, 'apple eu', 'T'),
    ('small_business', 'app_store', 'EU27', '', 0.15, '2026-10-01', null, 'apple eu', 'T'),
    -- Whether the new terms of the EU hold here is printed nowhere.
    ('standard', 'app_store', 'IS', '', 0.30, '2026-10-01', null, 'apple eu', 'U'),
    ('standard', 'app_store', 'NO', '', 0.30, '2026-10-01', null, 'apple eu', 'U'),
    ('standard', 'google_play', '', '', 0.30, '-infinity', null, 'play fees', 'P'),
    ('after_one_year', 'google_play', '', 'auto_renewable', 0.15, '2018-01-01', '2022-01-01', 'play fees', 'P'),
    ('standard', 'google_play', '', 'auto_renewable', 0.15, '2022-01-01', null, 'play 2021', 'P'),
    -- The tier of the first million dollars of a year: what is above it depends on all sales of an account.
    ('small_business', 'google_play', '', '', 0.15, '2021-07-01', null, 'play first million', 'P'),
    -- No page names prepaid plans: as subscriptions.
    ('standard', 'google_play', '', 'prepaid', 0.15, '2022-05-11', null, 'play fees', 'U'),
    -- From 2026 on 10 % and 5 % for the billing, market by market.
    ('standard', 'google_play', 'US GB EEA30', 'auto_renewable', 0.15, '2026-06-30', null, 'play 2026', 'T'),
    ('small_business', 'google_play', 'US GB EEA30', '', 0.15, '2026-06-30', null, 'play 2026', 'T'),
    -- 25 % where the app was installed or updated since: no interface says which it was.
    ('standard', 'google_play', 'US GB EEA30', 'one_time', 0.30, '2026-06-30', null, 'play 2026', 'U'),
    ('standard', 'google_play', 'AU JP', 'auto_renewable', 0.15, '2026-09-30', null, 'play fees', 'T'),
    ('small_business', 'google_play', 'AU JP', '', 0.15, '2026-09-30', null, 'play fees', 'T'),
    ('standard', 'google_play', 'AU JP', 'one_time', 0.30, '2026-09-30', null, 'play fees', 'U'),
    -- The billing part is not announced: 5 % as everywhere else.
    ('standard', 'google_play', 'KR', 'auto_renewable', 0.15, '2026-12-31', null, 'play 2026', 'U'),
    ('standard', 'google_play', 'KR', 'one_time', 0.30, '2026-12-31', null, 'play 2026', 'U'),
    ('standard', 'google_play', '', 'auto_renewable', 0.15, '2027-09-30', null, 'play 2026', 'U')
),

published as (
    select
        rules.rule, rules.store, listed.country, rules.product_type, rules.rate, rules.valid_from::date as valid_from,
        rules.valid_to::date as valid_to, page.address as source, rules.confidence
    from rules
    join page on page.name = rules.page
    left join region on region.name = rules.place
    cross join lateral unnest(
        case when rules.place = '' then array[''] else string_to_array(coalesce(region.countries, rules.place), ' ') end
    ) as listed (country)
),

recorded as (
    select distinct on (rule, store, country, product_type, valid_from)
        rule, store, country, product_type, valid_from, rate, valid_to, source, confidence
    from subledger.commission_rules
    where is_published
    order by rule, store, country, product_type, valid_from, recorded_run_id desc
)

insert into subledger.commission_rules (
    rule, store, country, product_type, rate, valid_from, valid_to, source, confidence, is_published, recorded_run_id
)
select
    rule, store, country, product_type, published.rate, valid_from, published.valid_to, published.source,
    published.confidence, true, $1::bigint
from published
left join recorded using (rule, store, country, product_type, valid_from)
where (recorded.rate, recorded.valid_to, recorded.source, recorded.confidence)
    is distinct from (published.rate, published.valid_to, published.source, published.confidence)
