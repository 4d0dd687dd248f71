"""What is also written in C, for speed: kinematics, wishes, small problems in a box."""
