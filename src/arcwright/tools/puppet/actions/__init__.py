"""Actions of a puppet: gestures of the stick that ask for one, and clips played over locomotion."""
