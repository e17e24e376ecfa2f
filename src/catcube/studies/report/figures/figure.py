"""What a figure is, and how all of them look."""

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

from catcube.errors import BadValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 6.4  # inches
GREY = "#777777"
INK = "#222222"

# The first seven are of Okabe and Ito: they differ for every kind of colour vision, and in
# brightness.
_REPRESENTATIONS = (
    *("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#D55E00", "#B5A300"),
    *("#5B3FA8", "#7A4A1E"),
)

_STYLE: dict[str, Any] = {
    "font.size": 10,
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # finding a position takes time
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "axes.labelcolor": INK,
    "text.parse_math": False,  # a name may contain $
    "svg.hashsalt": "catcube",  # the same data give the same file
}


@dataclass(frozen=True)
class ReportFigure:
    """A figure to be drawn. `name` is the stem of its files."""

    name: str  # such as ecdf-curves-sa
    title: str  # one line
    caption: str  # one or two sentences: what is drawn
    draw: "Callable[[], Figure]"


@contextmanager
def drawing() -> Iterator[None]:
    """Set our style while figures are made and saved, whatever the user's settings are."""
    try:
        from matplotlib import style
    except ImportError:
        raise BadValue("figures need matplotlib: pip install '.[report]'") from None
    with style.context(["default", _STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # in a name
        yield


def images(figure: ReportFigure) -> dict[str, bytes]:
    """Draw the figure as SVG and PNG, by the ending of the file's name; inside `drawing` only."""
    drawn = figure.draw()
    svg, png = io.BytesIO(), io.BytesIO()
    metadata = {"Title": shown(figure.title), "Description": figure.caption}
    drawn.savefig(svg, format="svg", metadata=metadata | {"Date": None})
    drawn.savefig(png, format="png", dpi=200, metadata=metadata | {"Software": None})
    return {"svg": svg.getvalue(), "png": png.getvalue()}


def new_figure(
    height: float, *, left: float, right: float = 0.15, top: float = 0.4, bottom: float = 0.5
) -> "tuple[Figure, Axes]":
    """Make a figure of this height and one pair of axes with these margins, all in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height))
    wide, high = WIDTH - left - right, height - top - bottom
    axes = figure.add_axes((left / WIDTH, bottom / height, wide / WIDTH, high / height))
    axes.xaxis.set_label_coords(0.5, (0.24 - bottom) / high)
    axes.yaxis.set_label_coords((0.25 - left) / wide, 0.5)
    return figure, axes


def write_title(figure: "Figure", axes: "Axes", title: str, above: float) -> None:
    """Write a title at the left edge of the figure, so many inches above the axes."""
    top = axes.get_position().y1 + above / figure.get_figheight()
    figure.text(0.1 / WIDTH, top, title, fontsize=11)


def shown(name: str, longest: int = 44) -> str:
    """Put a name in one line, shortened if it is long, without characters that cannot be drawn.

    >>> shown("two\\nlines"), len(shown("long " * 100))
    ('two lines', 44)
    """
    line = re.sub(r"\s+", " ", name).strip()
    line = "".join(character if character.isprintable() else "�" for character in line)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def representation_colours(representations: Iterable[str]) -> dict[str, str]:
    """Choose the colours of the representations, by their order.

    >>> representation_colours(["linear", "direct"])
    {'linear': '#0072B2', 'direct': '#E69F00'}
    """
    return dict(zip(representations, cycle(_REPRESENTATIONS), strict=False))


def power_of_ten(value: float, _position: object = None) -> str:
    """Label a power of ten on an axis.

    >>> power_of_ten(1), power_of_ten(1e6)
    ('1', '10⁶')
    """
    if value in (1, 10):
        return f"{value:.0f}"
    exponent = len(f"{value:.0f}") - 1
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def key(axes: "Axes", colours: dict[str, str], **where: Any) -> None:
    """Draw the key of the representations' colours."""
    from matplotlib.patches import Patch

    axes.legend(
        [Patch(color=colour) for colour in colours.values()],
        [shown(name) for name in colours],
        **{
            "frameon": False,
            "fontsize": 9.5,
            "handlelength": 1,
            "handleheight": 1,
            "handletextpad": 0.5,
            "columnspacing": 1.2,
            "borderpad": 0,
            "borderaxespad": 0,
            **where,
        },
    )
