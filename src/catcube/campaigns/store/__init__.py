"""The store of a campaign: one SQLite file, how it is written, checked and exported."""
