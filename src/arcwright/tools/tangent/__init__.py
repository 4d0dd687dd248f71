"""Motion curves: drag a point's path between keys; only tangents change."""
