"""Jobs: commands that take a while, such as file commands and solving, on their own threads."""
