"""Bridges to other packages, which the extra `integrations` installs; one module each."""
