-- The parts that a session's own build divides the lineages into, as marts.part_keys does.
create temp table part_keys (
    part bigint not null,
    key bigint not null,
    primary key (part, key)
);
