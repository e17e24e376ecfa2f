"""The sentence for an unknown name."""

from catcube.base.text import unknown_name_message


def test_a_long_list_is_cut():
    sentence = unknown_name_message("variable", "cell", (f"cell{i}" for i in range(100_000)))
    assert len(sentence) < 500
    assert sentence.endswith("… 100000 in all)")
