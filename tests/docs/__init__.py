"""Tests of the pages; they import the scripts that make the pages."""

import sys

from tests import ROOT

sys.path.append(str(ROOT / "docs" / "scripts"))
