"""Bridges to other packages, one module each; the packages are in the extra `integrations`."""
