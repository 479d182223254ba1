-- Where the materialised tables are. Grain: one row; none until they are first made. They are at that seal once every part of the lineages is
-- built and no table is stale.
create table marts.materialisation (
    only_row boolean not null default true,
    seal bigint not null,
    time_zone text not null,
    parts bigint not null,
    parts_built bigint not null,
    constraint materialisation_pkey primary key (only_row),
    constraint there_is_one_row check (only_row)
);

comment on table marts.materialisation is 'The seal and the time zone of the materialised tables';
comment on column marts.materialisation.only_row is 'Always true: there is one row';
comment on column marts.materialisation.seal is 'What runs sealed by then wrote is in them';
comment on column marts.materialisation.time_zone is 'Zone of the days: that of the reports';
comment on column marts.materialisation.parts is 'How many parts the lineages were divided into when they were last built; 0: not divided yet';
comment on column marts.materialisation.parts_built is 'How many of them are in the tables: all, unless a build was interrupted';
