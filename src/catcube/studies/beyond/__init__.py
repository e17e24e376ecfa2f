"""When does the representation matter? A study of problems, categories and variables."""
