"""What sessions of several tools share: drags, rotations, clips with a key on every frame."""
