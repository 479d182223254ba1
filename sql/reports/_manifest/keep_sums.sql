-- Moves the kept sums on to a seal. Grain: one row per report with sums; none where they stand there already, or beyond.
-- $1 seal, $2 time zone, $3 whether they are made anew
select report_name, written, corrected from report.keep_sums($1::bigint, $2::text, $3::boolean)
