-- rests on: exclusions_daily
-- Exclusions: what the figures leave out, counted by reason.
-- Grain: one row per day of purchase, app and reason with any row.
--
-- A transaction that is not revenue is listed under the first reason that fits: sandbox, bundled, family_shared, assigned, promotional, trial,
-- zero_price, missing_price. The others count rows that are revenue all the same: invalid_period (it covers no time, so it is
-- in no subscriber figure), prepaid (it does not renew: in no subscriber figure, either), unknown_credit (superseded by an
-- upgrade, whose credit the App Store does not report), and what is left out of the reporting currency: unknown_currency (the code
-- is none of ISO 4217) and missing_rate (no source quoted the currency before the day of the purchase).
create view exclusions (date, app_id, reason, rows) as
select excluded.day, excluded.app_id, excluded.reason, excluded.rows
from exclusions_daily excluded
join report_scope scope on excluded.day >= scope.from_date and excluded.day <= scope.through_date;
