"""`catcube compare`: compare an algorithm or a representation with archived results on a suite."""

from argparse import Namespace
from pathlib import Path

from catcube import algorithms
from catcube.algorithms.algorithm import Algorithm
from catcube.base.text import escape, expect, expect_known, format_columns
from catcube.cli import FAILED
from catcube.cli.execution import add_resume_hint, run_and_print
from catcube.cli.input import import_object, parse_settings, split_names
from catcube.cli.report import check_extra
from catcube.experiments.plan import Experiment, Plan
from catcube.experiments.plan_file import check_algorithms, check_representations
from catcube.experiments.writer import Writer
from catcube.problems.instances import matching_boards
from catcube.problems.suites import Suite, suite
from catcube.representations.registry import NATIVE, families, family


def command(arguments: Namespace) -> int:
    """Execute the missing runs, print ranks and effects, and write the report."""
    check_extra()
    chosen = suite(arguments.suite)
    plan = suite_plan(arguments, chosen)
    folder = Path(arguments.out or plan.name)
    folder.mkdir(parents=True, exist_ok=True)
    with add_resume_hint(folder), Writer(folder / "runs.sqlite", plan) as writer:
        progress = run_and_print(writer, plan, jobs=arguments.jobs)
    if progress.failed:
        return FAILED
    print_places(chosen, folder)
    return 0


def suite_plan(arguments: Namespace, chosen: Suite) -> Plan:
    """Return the plan: algorithms with given representations, or vice versa."""
    from catcube.studies.compare import archive

    known = archive(chosen.name).conditions
    methods: list[str] = []
    codes: list[str] = []
    for text in arguments.name:
        kind, name = find(text)
        (methods if kind == "algorithm" else codes).append(name)
    expect(not (methods and codes), "algorithms or representations, not both", arguments.name)
    if codes:
        methods += check_algorithms(split_names(arguments.algorithm, "algorithms"))
    else:
        codes += check_representations(split_names(arguments.representation, "representations"))
    shipped = set(methods) <= set(algorithms.names())
    experiment = Experiment(
        f"{'-'.join(arguments.name).replace(':', '-')} on {chosen.name}",
        {name: matching_boards(name).get(name) for name in chosen.instances},
        tuple(methods),
        tuple(codes),
        budget=known.budget,
        runs=arguments.runs or known.runs,
        preset="paper" if shipped else None,  # as archived
        parameters=parse_settings(arguments.parameter),
        shuffled=True,
    )
    return Plan(experiment.name.replace(" ", "-"), (experiment,)).scaled(
        instances=arguments.instances
    )


def find(text: str) -> tuple[str, str]:
    """Return the kind and the name of something registered, or of MODULE:ATTRIBUTE.

    >>> find("sa"), find("covering:2")
    (('algorithm', 'sa'), ('representation', 'covering:2'))
    """
    base, _, attribute = text.partition(":")
    if text in algorithms.registered:
        return "algorithm", text
    if base in families or base == NATIVE:
        return "representation", text
    if not attribute:
        expect_known("algorithm or representation", text, [*algorithms.registered, *families])
    found = import_object(text)
    if isinstance(found, Algorithm):
        if found.name not in algorithms.registered:
            algorithms.register(found)
        return "algorithm", found.name
    for name in families:
        if families[name].build is found:
            return "representation", name
    expect(callable(found), "an Algorithm or a function of N", found)
    family(attribute, (found.__doc__ or "").partition("\n")[0])(found)
    return "representation", attribute


def print_places(chosen: Suite, folder: Path) -> None:
    """Print the ranks and effects of the new pairs, and write the report."""
    from catcube.studies import analyse
    from catcube.studies.analysis.sections import Ranking, Study
    from catcube.studies.compare import SHOWN, add_archived, compare_with_best
    from catcube.studies.report.tables import effect_text
    from catcube.studies.report.write import write_report

    [section, *_] = analyse([folder / "runs.sqlite"]).sections
    assert isinstance(section, Ranking)
    new = section.conditions.pairs
    placed = add_archived(chosen.name, section.samples)
    rows = [["", *(" ".join(pair) for pair in new), "first"]]
    for group, lines in placed.ranks.items():
        found = {line.pair: line.rank for line in lines}
        rows.append([group, *(str(found[pair]) for pair in new), " ".join(lines[0].pair)])
    print(f"ranks among {len(placed.conditions.pairs)} pairs:")
    print(format_columns(rows, right=range(1, len(rows[0]) - 1)))
    for one in compare_with_best(placed, new):
        effect = effect_text(one, placed)
        print(escape(f"{one.first} against {one.second}, the best archived pair: {effect}"))
    shown = add_archived(chosen.name, section.samples, SHOWN)
    report = write_report(Study((shown,)), folder)
    kept = f"{len(shown.conditions.pairs)} pairs: the new and the archived {', '.join(SHOWN)}"
    print(f"the report ranks {kept}")
    print(escape(f"open {report.page}"))
