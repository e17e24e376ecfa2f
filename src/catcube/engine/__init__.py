"""The compiled floor: random numbers, points, the recorder, and how problems are called."""
