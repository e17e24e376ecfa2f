"""The sentence for an unknown name."""

import pytest

from catcube.base.text import unknown_name_message


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("SA", ["ga", "sa"], "unknown algorithm 'SA', did you mean 'sa'? (known: 'ga', 'sa')"),
        ("zzz", ["ga", "sa"], "unknown algorithm 'zzz' (known: 'ga', 'sa')"),
        ("sa", [], "unknown algorithm 'sa' (none is known)"),
    ],
)
def test_sentences(name, known, expected):
    assert unknown_name_message("algorithm", name, known) == expected


def test_a_long_list_is_cut():
    sentence = unknown_name_message("variable", "cell", (f"cell{i}" for i in range(100_000)))
    assert len(sentence) < 500
    assert sentence.endswith("… 100000 in all)")
