"""The table of representations, and the drawing of a small cube."""

import json
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from catcube.representations import comparison as show
from catcube.representations import families, representation


def by_name(N):
    return {line["representation"]: line for line in show.table(N)}


def test_the_known_figures_for_nine_categories():
    rows = by_name(9)
    assert [*rows] == [*(representation(name, 9).name for name in families), "native"]
    linear, balanced, compact = rows["linear"], rows["balanced"], rows["compact"]
    assert (linear["bits"], balanced["bits"], compact["bits"]) == (15, 15, 11)
    assert (linear["redundancy_min"], linear["redundancy_max"]) == (2048, 4096)
    assert balanced["redundancy_max"] - balanced["redundancy_min"] == 1
    assert round(linear["reach_min"], 2) == 0.53
    assert round(linear["reach_max"], 2) == 1.07
    assert round(balanced["reach_min"], 2) == 0.87
    assert round(balanced["reach_max"], 2) == 1.03
    radius = {"direct": 4, "gray": 4, "linear": 1, "compact": 1, "unary": 8, "vt": 2, "native": 1}
    assert {name: rows[name]["radius"] for name in radius} == radius


@pytest.mark.parametrize("N", [1, 3, 20, 100])
def test_the_data_survive_json(N):
    data = show.data(N)
    assert json.loads(json.dumps(data)) == data
    assert data["categories"] == N
    assert [line["bits"] for line in data["representations"]] == [
        *(representation(name, N).bits for name in families),
        None,  # of the native search
    ]


@pytest.mark.parametrize("N", [1, 2, 9, 64, 70])
def test_the_text_has_a_line_for_every_row_in_columns(N):
    lines = show.text(N).splitlines()
    assert lines[0] == (f"{N} categories" if N > 1 else "1 category")
    rows = show.table(N)
    body = lines[2 : 2 + len(rows)]
    assert [line.split()[0] for line in body] == [row["representation"] for row in rows]
    shown = ["–" if row["bits"] is None else str(row["bits"]) for row in rows]
    assert [line.split()[1] for line in body] == shown


def test_what_takes_too_long_is_left_out_of_the_row():
    row = show.row(representation("balanced", 700))
    assert (row["reach_min"], row["reach_max"]) == (None, None)
    assert row["radius"] == 1


def test_long_counts_are_shortened():
    text = show.text(300)
    assert "2^502–2^503" in text  # linear
    assert "2.235e151" in text  # balanced: about 2^511 / 300


def test_the_cube_of_the_paper_is_drawn_with_all_edges_and_colours():
    axes = Figure().add_subplot()
    code = representation("linear", 4)
    show.draw(axes, code)
    assert len(axes.lines) == 12
    assert sorted(text.get_text() for text in axes.texts) == [f"{x:03b}" for x in range(8)]
    places = {text.get_text(): text.get_position() for text in axes.texts}
    for category, dots in enumerate(axes.collections):
        members = [
            place for bits, place in places.items() if code.decode([*map(int, bits)]) == category
        ]
        assert np.allclose(sorted(members), sorted(dots.get_offsets().tolist()))
    assert len({to_hex(dots.get_facecolors()[0]) for dots in axes.collections}) == 4
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("name", "N", "suffix", "start"),
    [
        ("linear", 4, "png", b"\x89PNG"),
        ("linear", 2, "svg", b"<?xml"),
        ("linear", 3, "pdf", b"%PDF"),
        ("direct", 16, "png", b"\x89PNG"),
        ("covering", 8, "svg", b"<?xml"),
        ("vt", 5, "png", b"\x89PNG"),
    ],
)
def test_figures_in_every_format(name, N, suffix, start, tmp_path):
    path = tmp_path / f"cube.{suffix}"
    show.figure(N, str(path), name)
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("N", [1, 5, 9])
def test_a_cube_that_cannot_be_drawn_is_refused_with_one_sentence(N, tmp_path):
    with pytest.raises(ValueError, match=r"1 to 4 bits for a drawing, got .*'linear'"):
        show.figure(N, tmp_path / "cube.png")
    assert not list(tmp_path.iterdir())


def test_the_table_needs_neither_matplotlib_nor_numba():
    code = (
        "import sys, catcube.representations, catcube.representations.closed_forms; "
        "import catcube.representations.comparison; "
        "catcube.representations.comparison.table(5); "
        "print(*sorted({'matplotlib', 'scipy', 'numba'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
