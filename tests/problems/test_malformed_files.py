"""What is no instance is refused: the message names the file, the place and the culprit."""

import pytest

from catcube.problems import make
from catcube.problems.scanner import FileError

LATIN = [
    ("", "got 0"),
    ("1 2\n2", "line 2, "),
    ("1 2\n2 1 1", "line 2, column 5: "),
    ("1 2\n2 x", "line 2, column 3: .* 'x'"),
    ("1 .\n3 .", "line 2, column 1: .* '3'"),
    ("1 2 .\n. . .", "3 rows"),
    ("1 .\n. .\n. .", "line 3, .* 2 rows"),
    ("order 50\n", "line 1, column 7: .* '50'"),
    (". " * 100, "expected 100 rows, got 1"),
]
QAP = [
    ("2 0 1 2 0 0 3 4", "line 1, column 16: "),
    ("2 0 1 2 0 0 3 4 0 9", "line 1, column 19: "),
    ("1000", "line 1, column 1: "),
    ("2 0 1 2 0 0 3 4.5 0", r"line 1, column 15: .* '4\.5'"),
]
DIMACS = [
    ("", "'p edge VERTICES EDGES', got none"),
    ("e 1 2", "line 1, column 1: .* before the edges"),
    ("p edge 3 1\nq", "line 2, column 1: .* 'q'"),
    ("p edge 3", "line 1, column 9: .* number of edges, got the end of the line"),
    ("p edge 3 1\n\ne 1 x", "line 3, column 5: .* 'x'"),
    ("p edge 3 1\ne 1 4", r"1\.\.3.*, got '4'"),
    ("p edge 3 1\ne 2 2", "line 2, column 5: .* another vertex than 2"),
    ("p edge 3 1\ne 1 2 3", "line 2, column 7: .* end of the line, got '3'"),
    ("p edge 3 1\np edge 3 1", "a second one"),
    ("p sp 3 1", "line 1, column 3: .* 'sp'"),
    ("p edge 9999999999 1", "number of vertices"),
    ("p edge " + "9" * 5000 + " 1", "number of vertices .* got '999"),
    ("p edge 1_0 1", "got '1_0'"),
]
UAI = [
    ("MARKOV", "line 1, column 7: .* number of variables, got the end of the file"),
    ("MARKOV\n0", "line 2, column 1: .* number of variables"),
    ("MARKOV 1 2 1 1 1", "a variable .0., got '1'"),
    ("MARKOV 2 2 2 1 2 1 1 4", "different variables .* twice"),
    ("MARKOV 1 2 1 1 0 3 1 1", "number of entries"),
    ("MARKOV 1 2 1 1 0 2 1 nan", "an entry .* 'nan'"),
    ("MARKOV 1 2 1 1 0 2 1 1e999", "an entry .* '1e999'"),
    ("MARKOV 1 2 1 1 0 2 1 -1", ">= 0.*, got '-1'"),
    ("MARKOV 1 2 1 1 0 2 1 1 1", "line 1, column 24: .* end of the file, got '1'"),
    ("MARKOV 1 2 1 1 0 2 0 0", "one > 0, in the table of .'x0',."),
    ("MARKOV 30 " + "60000 " * 30 + "1 30 " + " ".join(map(str, range(30))) + " 8", "entries"),
]
VARIABLE = "variable a { type discrete [ 2 ] { yes, no }; }\n"
MANY = "".join(f"variable v{i} {{ type discrete [ 2 ] {{ 0, 1 }}; }}\n" for i in range(25))
BIF = [
    (" ", "probabilities, got none"),
    ("node a", "line 1, column 1: .* got 'node'"),
    (VARIABLE + VARIABLE, "line 2, column 10: .* new variable, got 'a'"),
    ("variable a { type continuous", "line 1, column 19: .* got 'continuous'"),
    ("variable a { type discrete [ 3 ] { yes, no }; }", "3 different labels, got '}'"),
    ("variable a { }", "line 1, column 14: .* 'type', got '}'"),
    (VARIABLE + "probability ( b )", "declared, once, got 'b'"),
    (VARIABLE + "probability ( )", "declared, once, got '.'"),
    (VARIABLE + "probability ( a ) { table 0.1; }", "a probability .* got ';'"),
    (VARIABLE + "probability ( a ) { table 0.1 0.9 1;}", "column 35: .* ';', got '1'"),
    (VARIABLE + "probability ( a ) { }", "probabilities of a for all labels"),
    (VARIABLE + "probability ( a ) { table -1 2; }", ">= 0.*, got '-1'"),
    (MANY + f"probability ( {', '.join(f'v{i}' for i in range(25))} ) {{", "line 26, .* entries"),
]
FORMATS = {
    "latin:mine": LATIN,
    "qap:mine": QAP,
    "colouring:mine,3": DIMACS,
    "factors:mine": UAI + BIF,
    "qap:nug12,mine": [
        ("3 1", "line 1, column 1: "),
        ("12 5 1 1", "line 1, column 9: "),
        ("12 5 1 2 3 4 5 6 7 8 9 10 11 12", "expected 724, .* got 5"),
    ],
    "factors:network,evidence=mine": [
        ("1 3 0", "line 1, column 3: .* got '3'"),
        ("1 2 3", "line 1, column 5: .* got '3'"),
        ("2 0 0 0 0", "line 1, column 7: .* not yet observed, got '0'"),
        ("2 1 0 0", "line 1, column 1: .* number of samples .* got '2'"),
        ("1 0 0 1 1", "line 1, column 7: .* end of the file, got '1'"),
    ],
    "factors:asia,evidence=mine": [
        ("dysp maybe", "line 1, column 6: .* dysp, got 'maybe'"),
        ("nobody yes", "line 1, column 1: .* got 'nobody'"),
    ],
    "potts:mine,2": [
        ("", "empty"),
        ("3 2\n1 2\n2 1 3", "line 3, .* again"),
        ("3 2\n1 2", "2 edges"),
        ("3 1\n1 2 x", "weight .* 'x'"),
    ],
}
FAULTS = [(name, text, fault) for name, faults in FORMATS.items() for text, fault in faults]


@pytest.mark.parametrize(("name", "text", "fault"), FAULTS)
def test_a_malformed_file_is_refused(tmp_path, monkeypatch, name, text, fault):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text(text)
    (tmp_path / "network").write_text("MARKOV 3 2 2 3 1 1 0 2 1 1")
    with pytest.raises(FileError, match=f"^mine: .*{fault}") as refusal:
        make(name)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300
