-- Says that one more part of the lineages is built; after the last one no table is stale.
with built as (
    update report.kept set parts_built = parts_built + 1 returning parts_built = parts as is_last
)

delete from report.stale_tables where (select built.is_last from built)
