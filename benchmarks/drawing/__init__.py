"""Pictures that only reports need: a motion before and after an edit, marks, small files."""
