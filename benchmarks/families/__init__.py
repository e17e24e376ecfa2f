"""The problems of all studies: families to tune with, and others to judge by."""
