"""Bridges to other packages, one module each; the packages are in the extra `integrations`."""


def missing(package: str) -> ImportError:
    """Return the error about a missing package."""
    return ImportError(
        f"this part of catcube needs the package {package}: pip install '.[integrations]'",
        name=package,
    )
