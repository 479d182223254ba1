-- The pace of each quota, shared by all processes that ask its store. Grain: one row per quota and endpoint.
-- Time is leased: whoever asks takes the next slice of it, so that no two processes ask in the same one.
create table subledger.quota_slices (
    quota text not null,
    endpoint text not null,
    free_from timestamptz not null default '-infinity',
    interval_ns bigint not null,
    interval_until timestamptz not null default '-infinity',
    regular_until timestamptz not null default '-infinity',
    preferred_from timestamptz not null default '-infinity',
    constraint quota_slices_pkey primary key (quota, endpoint),
    constraint intervals_are_positive check (interval_ns > 0)
) with (fillfactor = 50);

comment on table subledger.quota_slices is 'The pace of each quota of a store, shared by all processes that ask it: the next slice of time is leased';
comment on column subledger.quota_slices.quota is 'Whose calls the store counts together, under a name that every host derives alike and that shows no credential';
comment on column subledger.quota_slices.endpoint is 'What the store counts by itself';
comment on column subledger.quota_slices.free_from is 'Database clock: from then on nothing is leased';
comment on column subledger.quota_slices.interval_ns is 'Between two requests, in nanoseconds: of the lowest rate that a process states';
comment on column subledger.quota_slices.interval_until is 'Database clock: after that a higher rate holds, unless the lower one was stated again';
comment on column subledger.quota_slices.regular_until is 'Database clock: the end of the last slice of a job that is no intake';
comment on column subledger.quota_slices.preferred_from is 'Database clock: from then on an intake beside other jobs takes its next slice';
