-- There was no issue to compare with.
delete from figure_parts
