"""Storage: the journal, the opened folder, the state folder and temporary files."""
