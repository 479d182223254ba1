-- How a run ended: why it failed is kept with it, and so is a report that it was to write and has not written.

alter table subledger.runs
    add column failure text,
    add column report_due boolean not null default false;

comment on column subledger.runs.failure is 'Why it failed or was left; NULL where nothing went wrong';
comment on column subledger.runs.report_due is 'The report of its business date is to be written still: by itself, or by the next night';
