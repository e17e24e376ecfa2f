"""Binary representations of categories: their data, the families by name, exact properties.

>>> from catcube.representations import representation
>>> representation("linear", 4).decode([1, 1, 0])
array(3)
"""

from catcube.representations.registry import families, representation
from catcube.representations.representation import Representation

__all__ = ["Representation", "families", "representation"]
