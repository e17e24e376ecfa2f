"""Which setting is best for which budget? The study behind `algorithm="auto"`."""
