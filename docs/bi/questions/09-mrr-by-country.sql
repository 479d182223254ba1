-- Where does MRR come from? Map or bars: name, mrr.
-- One row per country, at the end of the last day reported. In the reporting currency; the last row may be of an unknown country.
select
    countries.country, coalesce(country.name, 'unknown') as name, country.continent, sum(countries.active) as active,
    sum(countries.closing_mrr_reporting) as mrr, countries.reporting_currency, sum(countries.unconverted) as unconverted
from report.countries
join report.report_scope scope on countries.month = to_char(scope.through_date, 'YYYY-MM')
left join report.dim_countries country on country.country = countries.country
group by countries.country, country.name, country.continent, countries.reporting_currency
having sum(countries.active) > 0
order by mrr desc, name
