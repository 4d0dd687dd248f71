"""Contact: a stroke becomes ground on which the loop does not slide."""
