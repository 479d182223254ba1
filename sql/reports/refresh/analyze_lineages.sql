-- So that the planner knows how many lineages are at hand.
analyze touched
