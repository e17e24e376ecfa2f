"""The errors that a caller can correct; all are subclasses of `CatcubeError`."""


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
    """A value that is not among those that were expected."""


class BadType(CatcubeError, TypeError):  # noqa: N818 (as BadValue)
    """A value of another type than was expected."""
