"""Activities: edit what a motion is about; everything involved follows."""
