"""Statistics of results, as pure functions without side effects.

They take any iterable of results with the attributes of `Result`, such as what `minimize` returns
or a store holds; rows of `catcube run --csv`, as dicts or as a DataFrame; or samples of measured
numbers. The ECDF takes the traces of the runs. The summaries and ranks are those of A. Berny,
"Linear representation of categorical values" (2021); the tests, effect sizes and intervals need
scipy (the extra `report`).
"""

# The public names are those in `__all__` of each module, listed there once: hence the stars.
from catcube.statistics.bootstrap import *  # noqa: F403
from catcube.statistics.curves import *  # noqa: F403
from catcube.statistics.effects import *  # noqa: F403
from catcube.statistics.hypotheses import *  # noqa: F403
from catcube.statistics.ranks import *  # noqa: F403
from catcube.statistics.results import *  # noqa: F403
from catcube.statistics.tables import *  # noqa: F403
