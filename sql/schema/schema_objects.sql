-- What migrators made in schemas subledger, marts and report; what else is in them belongs to others and is left alone.
-- Grain: one row per object.
create table subledger.schema_objects (
    identity text not null,
    constraint schema_objects_pkey primary key (identity)
);

comment on table subledger.schema_objects is 'What subledger made in its schemas: what else is in them is left alone';
comment on column subledger.schema_objects.identity is 'Kind and name, as pg_identify_object gives them';
