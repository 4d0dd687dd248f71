"""Curves: keyed Bezier curves and B-splines, their evaluation, derivatives and fitting."""
