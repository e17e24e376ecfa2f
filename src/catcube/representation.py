"""`catcube.representation`: the name of both a function and the module of `Representation`.

>>> import catcube.representation
>>> catcube.representation("linear", 4)
Representation('linear', bits=3, categories=4)
>>> catcube.representation.Representation([1, 2, 3], range(4)).bits
3

Importing a module makes it an attribute of its package, where it would hide the function of the
same name. So this module can be called; what it offers lives in `catcube.representations`.
"""

import sys
from types import ModuleType
from typing import Any

from catcube.representations import Representation, families, representation

__all__ = ["Representation", "families", "representation"]


class _CallableModule(ModuleType):
    def __call__(self, name: str, N: int, **parameters: Any) -> Representation:
        return representation(name, N, **parameters)


sys.modules[__name__].__class__ = _CallableModule
