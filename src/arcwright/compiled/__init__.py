"""What is also written in C, for speed: kinematics, tasks, small problems in a box."""
