"""The page of the demo: one file, to be read offline, in light and dark, on a desk or a phone."""

import platform
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from html import escape
from importlib.metadata import version
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from demo_comparison import PUBLISHED, Comparison, table
from demo_figure import draw
from matplotlib import style

from catcube import show
from catcube.algorithms import algorithm
from catcube.batch import available_cores
from catcube.boards import Board

# The page's background shows through the figures.
CLEAR = {"savefig.facecolor": "none", "axes.facecolor": "none"}

PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>catcube: demo</title>
<style>
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --rule: #d1d9e0;
  --found: #005a8d; --ground: #ffffff; --block: #59636e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --rule: #3a424b;
  --found: #6cc0f5; --ground: #14171a; --block: #8b96a1; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.1rem 4rem; max-width: 46rem; color: var(--ink);
  background: var(--ground); font: 1.05rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 0.6rem; padding-top: 1.2rem;
  border-top: 1px solid var(--rule); }
.soft, figcaption, caption { color: var(--soft); font-size: 0.93rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.88em; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; padding: 0.7rem 0.9rem; border: 1px solid var(--rule);
  border-radius: 0.4rem; }
figure { margin: 1rem 0; text-align: center; }
figure img { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.5rem; }
.data { width: 100%; font-size: 0.95rem; }
.data th, .data td { padding: 0.3rem 0.5rem; text-align: right; vertical-align: baseline;
  border-bottom: 1px solid var(--rule); font-weight: normal; }
.data thead th { font-weight: 600; vertical-align: bottom; }
.data td { width: 4.2rem; white-space: nowrap; }
.data th:first-child { text-align: left; }
.data small { display: block; color: var(--soft); line-height: 1.35; }
@media (max-width: 34rem) { .data { font-size: 0.82rem; }
  .data th, .data td { padding: 0.3rem 0.2rem; width: auto; } }
.board { margin: 1rem auto; border: 2px solid var(--block); }
.board td { width: 2.1rem; height: 2.1rem; text-align: center; font-weight: 700;
  font-size: 1.1rem; padding: 0; border: 1px solid var(--rule); }
.board .found { color: var(--found); font-weight: 400; }
.board .right { border-right: 2px solid var(--block); }
.board .below td { border-bottom: 2px solid var(--block); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 1.2rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>catcube: the demo</h1>
<p class="soft">Functions of categorical variables, optimised by binary metaheuristics.</p>

<h2>The linear representation</h2>
$introduction
<figure>$cube
<figcaption>Four categories (colours) on three bits: each vertex has one neighbour of each other
colour.</figcaption></figure>
<table class="data">
<caption>The representations of nine categories, such as the digits of a Sudoku. Redundancy: how
many bit vectors a category has, from the rarest to the most frequent. Radius: from everywhere all
categories are within so many flips.</caption>
<thead><tr><th>representation</th><th>bits</th><th>redundancy</th><th>radius</th></tr></thead>
<tbody>
$representations
</tbody></table>

<h2>A Sudoku</h2>
<p>$search</p>
<table class="board">
$board
</table>
<p class="soft">Bold: given. Blue: found.</p>

<h2>The comparison</h2>
<p>$setting</p>
<figure>$comparison</figure>
<table class="data">
<caption>Mean final values, and medians $published.</caption>
<thead>
<tr><th rowspan="2">algorithm</th><th colspan="2">mean here</th><th colspan="2">published</th></tr>
<tr><th>linear</th><th>direct</th><th>linear</th><th>direct</th></tr>
</thead>
<tbody>
$values
</tbody></table>

<h2>How it was run</h2>
<dl>
$circumstances
</dl>
<p>The same board and the same values, on any machine:</p>
<pre>$commands</pre>
</body>
</html>
""")


def page(
    introduction: str,
    board: Board,
    solution: Board,
    search: str,
    comparison: Comparison,
    seconds: float,
) -> str:
    """All that the demo has found, as HTML."""
    settings = comparison.settings
    return PAGE.substitute(
        introduction=paragraphs(introduction),
        cube=picture(partial(show.figure, 4), "A cube with vertices in four colours"),
        representations=rows(
            (
                own["representation"],
                own["description"],
                str(own["bits"]),
                f"{own['redundancy_min']}–{own['redundancy_max']}",
                str(own["radius"]),
            )
            for own in show.table(9)
        ),
        search=escape(f"{settings.instance} by simulated annealing with restarts, {search}."),
        board=board_rows(board, solution),
        setting=escape(
            f"{len(settings.algorithms)} algorithms on {settings.instance}, {settings.budget:,} "
            f"evaluations, {settings.runs} runs each, parameters as in the paper: "
            f"{comparison.summary()}."
        ),
        comparison=picture(partial(draw, comparison), "The means of the table below as bars"),
        published=escape(PUBLISHED),
        values=rows((name, algorithm(name).title, *values) for name, *values in table(comparison)),
        circumstances=definitions(
            {
                "versions": ", ".join(
                    f"{name} {version(name)}" for name in ("catcube", "numpy", "numba")
                ),
                "Python": platform.python_version(),
                "machine": f"{platform.platform()}, {available_cores()} cores",
                "seed": str(settings.seed),
                "time": f"{seconds:.0f} s in all, on {date.today().isoformat()}",
            }
        ),
        commands=escape(
            f"catcube solve {settings.instance} --seed {settings.seed}\n"
            f"catcube run {settings.instance} --algorithm {','.join(settings.algorithms)} "
            f"--representation linear,direct --budget {settings.budget} --runs {settings.runs} "
            f"--seed {settings.seed} --preset paper --csv"
        ),
    )


def paragraphs(text: str) -> str:
    """Text with blank lines between its paragraphs."""
    return "\n".join(f"<p>{escape(own.strip())}</p>" for own in text.split("\n\n"))


def picture(draw: Callable[[Path], None], description: str) -> str:
    """A figure twice, for light and dark; `draw` saves it to a path."""
    light, dark = (_data_uri(draw, own) for own in (["default", CLEAR], ["dark_background", CLEAR]))
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{escape(description)}"></picture>'
    )


def _data_uri(draw: Callable[[Path], None], styles: Sequence[str | dict[str, object]]) -> str:
    with TemporaryDirectory() as folder, style.context(styles):
        path = Path(folder) / "figure.svg"
        draw(path)
        return f"data:image/svg+xml;base64,{b64encode(path.read_bytes()).decode()}"


def board_rows(board: Board, solution: Board) -> str:
    """The rows of a board: the givens, and the digits found for the other cells."""
    inner = range(board.box - 1, board.size - 1, board.box)  # the last of each block but the last

    def cell(row: int, column: int) -> str:
        kind = "given" if board.givens[row, column] else "found"
        edge = " right" if column in inner else ""
        return f'<td class="{kind}{edge}">{solution.cells[row, column]}</td>'

    def line(row: int) -> str:
        kind = ' class="below"' if row in inner else ""
        return f"<tr{kind}>{''.join(cell(row, column) for column in range(board.size))}</tr>"

    return "\n".join(line(row) for row in range(board.size))


def rows(lines: Iterable[Sequence[str]]) -> str:
    """Rows of a table: a name with a description under it, and some cells."""
    return "\n".join(
        f'<tr><th scope="row">{escape(name)}<small>{escape(description)}</small></th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, description, *cells in lines
    )


def definitions(pairs: Mapping[str, str]) -> str:
    """Terms and what they are."""
    return "\n".join(
        f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in pairs.items()
    )
