"""Flow curves: objects of a shot bend so that their lines follow a stroke."""
