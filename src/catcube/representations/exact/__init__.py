"""Exact properties of representations, by enumeration or Walsh transforms."""
