"""Names that would do something if they were more than text, and a small plan."""

ESCAPE = "\x1b[2J\x9b2J\u202e"


SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'"


PLAN = """[[experiment]]
instances = ["match:3,2"]
algorithms = ["rls"]
representations = ["linear"]
budget = 10
runs = {runs}
"""
