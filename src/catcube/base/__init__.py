"""What every room uses: text, provenance, seeds, memory, names that others can add to."""
