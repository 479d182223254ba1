-- What the view dim_days and its columns mean.
comment on view dim_days is 'Days from the first one of any report to 90 days after the last one, for joins, filters and days without news
Key: date';
comment on column dim_days.date is 'The day, in the report time zone';
comment on column dim_days.year is 'Its year';
comment on column dim_days.quarter is 'Its quarter, yyyy-Qn';
comment on column dim_days.month is 'Its month, yyyy-mm, as the reports by month have it';
comment on column dim_days.month_start is 'First day of the month: the same as a date';
comment on column dim_days.week is 'Its week, ISO 8601: yyyy-Wnn';
comment on column dim_days.week_start is 'Monday of the week';
comment on column dim_days.weekday is '1 (Monday) to 7 (Sunday)';
comment on column dim_days.weekday_name is 'Monday to Sunday';
comment on column dim_days.day_of_month is '1 to 31';
comment on column dim_days.is_month_end is 'Whether it is the last day of its month';
comment on column dim_days.is_reported is 'Whether it is not after the last day reported';
comment on column dim_days.is_observed is 'Whether the stores were asked by then: before, only what they still say of the past is known';
