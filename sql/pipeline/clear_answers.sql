-- Archived answers that are too old to keep and changed nothing when they came.
-- Grain: one row per answer. $1 answered before
delete from subledger.store_answers where answered_at < $1::timestamptz and not is_evidence
