-- What the views of schema report cover: the marts, from the first day to the business date of the run they are at.
-- No row, so that they are empty, while the tables are being built.
-- A session that makes a report has a table of this name of its own.
create or replace view report.report_scope as
select
    materialisation.seal, '-infinity'::date as from_date, run.business_date as through_date, materialisation.time_zone,
    subledger.reporting_currency_as_of(materialisation.seal) as reporting_currency
from marts.materialisation
join subledger.runs run on run.seal = materialisation.seal
where materialisation.parts_built = materialisation.parts and not exists (select from marts.stale_tables);

comment on view report.report_scope is 'The seal, the days, the time zone and the currency that the views of this schema show: one row, none while the tables are being built
Key: seal';
comment on column report.report_scope.seal is 'What runs sealed by then wrote is shown';
comment on column report.report_scope.from_date is 'First day: all';
comment on column report.report_scope.through_date is 'Last day: the business date of the run with that seal';
comment on column report.report_scope.time_zone is 'Zone of the days';
comment on column report.report_scope.reporting_currency is 'The reporting currency';
