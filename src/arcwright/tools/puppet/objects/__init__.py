"""Objects of a puppet: props that it picks up, carries, pushes, rolls, throws and looks at."""
