-- The reports' schema is made of tables in a row from here on: its sums and functions of before are made anew under other names.
drop schema report cascade;
create schema report;
comment on schema report is 'What reports are made from, and one view per report with the columns of its CSV';
