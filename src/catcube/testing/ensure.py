"""What a check does when something is wrong: an AssertionError with a sentence."""


def ensure(condition: object, sentence: str) -> None:
    """Raise an AssertionError unless the condition holds, also where `assert` is switched off.

    >>> ensure(1 + 1 == 3, "one and one is not three")
    Traceback (most recent call last):
    AssertionError: one and one is not three
    """
    if not condition:
        raise AssertionError(sentence)
