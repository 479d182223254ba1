-- Says at which seal the kept tables stand. $1 seal
update report.kept set seal = $1::bigint
