"""The exceptions of the package; all are subclasses of `CatcubeError`."""


class CatcubeError(Exception):
    """The base class of all errors of catcube.

    Most are also a `ValueError` or a `TypeError`.

    Examples
    --------
    >>> import catcube
    >>> try:
    ...     catcube.Space({})
    ... except catcube.CatcubeError as error:
    ...     isinstance(error, ValueError)
    True
    """


class BadValue(CatcubeError, ValueError):  # noqa: N818 (shorter in 300 places)
    """An argument, or the content of a file, is invalid."""


class BadType(CatcubeError, TypeError):  # noqa: N818 (as BadValue)
    """An argument has the wrong type."""
