"""The surrogate beside plain searches and other tools, at 100 to 1,000 evaluations."""
