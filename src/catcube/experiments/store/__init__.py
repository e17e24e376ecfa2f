"""The store of a campaign, one SQLite file: writing, reading, checking and export."""
