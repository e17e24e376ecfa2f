"""Statistics of results, as pure functions.

They accept any iterable of results with the attributes of `Result`, such as those of `minimize` or
of a store; rows of `catcube run --csv`, as dicts or as a DataFrame; or samples of numbers. The ECDF
needs the traces of the runs. The summaries and ranks are those of A. Berny, "Linear representation
of categorical values" (2021). The tests, effect sizes and intervals need scipy (the extra
`report`).
"""

# The public names are listed once, in `__all__` of each module.
from catcube.statistics.bootstrap import *  # noqa: F403
from catcube.statistics.curves import *  # noqa: F403
from catcube.statistics.effects import *  # noqa: F403
from catcube.statistics.hypotheses import *  # noqa: F403
from catcube.statistics.ranks import *  # noqa: F403
from catcube.statistics.results import *  # noqa: F403
from catcube.statistics.tables import *  # noqa: F403
