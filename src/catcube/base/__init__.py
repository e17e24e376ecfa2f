"""Shared foundations: text, files, labels, provenance, seeds, memory, arguments, registry."""
