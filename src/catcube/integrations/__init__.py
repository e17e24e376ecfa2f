"""Bridges to other packages, a module each; all but ours are in the extra `integrations`."""


def missing(package: str) -> ImportError:
    """What to raise if a package is not installed."""
    return ImportError(
        f"this part of catcube needs the package {package}: pip install 'catcube[integrations]'",
        name=package,
    )
