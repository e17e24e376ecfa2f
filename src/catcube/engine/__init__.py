"""The compiled engine: random numbers, points, the recorder, and the search structures."""
