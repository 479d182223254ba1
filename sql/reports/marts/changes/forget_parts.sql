-- Before others are written, or where there was no issue to compare with.
delete from figure_parts
