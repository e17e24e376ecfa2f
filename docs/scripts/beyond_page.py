"""The page "Beyond the paper": every sentence with a figure in it is made from the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from beyond_data import Measured
from beyond_study import LEVEL, Row, Verdict, at_best, effects, mean_ranks, pooled

from catcube.problems.suites import family_of
from catcube.statistics import MeanEffect, Pair, holm
from catcube.studies.report.text import format_p_value

Study = Mapping[str, Measured]
BLOCKS = ("trap", "trap-overlap", "hiff")
PLAIN = ("hc", "sa", "ea-1p1", "ea-10p1", "ga")
"""Searches that have neither a model nor restarts."""
WORDS: dict[Verdict, str] = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "open": "inconclusive",
}


# Words


def listed(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def signed(number: float) -> str:
    """Write an effect."""
    return f"{number:+.2f}".replace("-", "−")


def interval(effect: MeanEffect) -> str:
    """Write an effect with its interval."""
    return f"{signed(effect.mean)} ({signed(effect.low)} to {signed(effect.high)})"


def verdicts(rows: Sequence[Row], first: str, second: str) -> str:
    """Say for which algorithms which verdict is reached."""
    parts = []
    for verdict, words in WORDS.items():
        names = [row.algorithm for row in rows if row.verdict == verdict]
        if names:
            parts.append(f"{words} with {listed(names)}")
    return f"`{first}` against `{second}`: {'; '.join(parts)}."


def reversals(rows: Sequence[Row]) -> str:
    """Name the families whose interval lies on the other side of 0 than the mean."""
    found = [f"{row.algorithm} ({listed(row.reversals)})" for row in rows if row.reversals]
    return f"Families with the interval on the other side of 0: {'; '.join(found) or 'none'}."


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table whose first column is text."""
    lines = [head, *rows]
    shown = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    return "\n".join([shown[0], "|---|" + "---:|" * (len(head) - 1), *shown[1:]])


def folded(title: str, text: str) -> str:
    """Fold something behind its title."""
    inside = "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
    return f'??? note "{title}"\n\n{inside}'


def effect_table(rows: Sequence[Row]) -> str:
    """Write effects with intervals, p-values and the means of families."""
    families = list(rows[0].families)
    head = ["", "effect (95 %)", "p", "equivalence", "instances", *families]
    return table(
        head,
        [
            [
                *(row.algorithm, interval(row.effect), format_p_value(row.p).removeprefix("p = ")),
                *(format_p_value(row.equivalence).removeprefix("p = "), row.instances),
                *(
                    signed(row.families[name].mean) if name in row.families else ""
                    for name in families
                ),
            ]
            for row in rows
        ],
    )


def counted(rows: Sequence[Row], verdict: Verdict) -> str:
    """Count the algorithms with a verdict, of all."""
    names = [row.algorithm for row in rows if row.verdict == verdict]
    return f"{len(names)} of {len(rows)} algorithms"


def is_power(measured: Measured) -> Callable[[str], bool]:
    """Return whether N of an instance is a power of two."""
    return lambda one: measured.facts[one].categories.bit_count() == 1


def is_other(measured: Measured) -> Callable[[str], bool]:
    """Return whether N of an instance is not a power of two."""
    return lambda one: measured.facts[one].categories.bit_count() > 1


# Answers


def answers(study: Study) -> str:
    """Answer in ten lines."""
    families = study["families"]
    direct = effects(families.values, "linear", "direct")
    power = effects(families.values, "linear", "native", is_power(families))
    other = effects(families.values, "linear", "native", is_other(families))
    over = pooled(families.values, "linear", "direct", lambda _: True)
    by_name = {row.algorithm: row for row in direct}
    native = {row.algorithm: row for row in effects(families.values, "linear", "native")}
    worse = [row for row in other if row.verdict == "worse"]
    lines = [
        f"**Linear is better than direct** over {len(direct[0].families)} families: on average "
        f"{interval(over)}, significantly for {counted(direct, 'better')}; "
        f"with mimic it is {interval(by_name['mimic'].effect)}, with p3 "
        f"{interval(by_name['p3'].effect)}.",
        f"**For N = 2ᵏ, linear performs as well as native** over these families: equivalent "
        f"(|δ| < 0.147) for {counted(power, 'equivalent')}, better or worse for "
        f"{sum(row.verdict in ('better', 'worse') for row in power)}. Theory predicts it for rls, "
        f"hc and sa, which are the same searches"
        + (_powers_alone(study["categories"]) if "categories" in study else "")
        + ".",
        f"**For other N, linear is slightly worse than native**: significantly for "
        f"{listed([f'{row.algorithm} ({signed(row.effect.mean)})' for row in worse])}.",
        _others(study),
        _blocks(by_name["p3"], native, study),
        f"**P3 varies by family**: linear against native ranges from "
        f"{signed(min(e.mean for e in native['p3'].families.values()))} to "
        f"{signed(max(e.mean for e in native['p3'].families.values()))}, with a mean of "
        f"{interval(native['p3'].effect)}, {_corrected(native['p3'])}.",
        _ga(study, power, other),
        f"**LTGA is better with linear in short runs**: {interval(native['ltga'].effect)} against "
        f"native with {families.budget:,} evaluations"
        + (_ltga(study["long"]) if "long" in study else "")
        + ".",
    ]
    if "size" in study:
        lines.append(_bits(study["size"]))
    if {"mutation-1", "population-50"} <= {*study}:
        lines.append(_rates(study))
    return "\n".join(f"- {line}" for line in lines)


def _powers_alone(measured: Measured) -> str:
    chosen, _ = _grown(measured).values()
    rows = effects(measured.values, "linear", "native", chosen)
    shown = {
        verdict: listed(
            [
                f"{row.algorithm} ({signed(row.effect.mean)})"
                for row in rows
                if row.verdict == verdict
            ]
        )
        for verdict in ("worse", "better")
    }
    return (
        f"; with others the effect depends on the problems: on six families with n = 30 and N from "
        f"4 to 64, linear is worse with {shown['worse']}, and better with {shown['better']}"
    )


def _blocks(direct: Row, native: Mapping[str, Row], study: Study) -> str:
    """Say what P3, MIMIC and LTGA do where blocks of variables deceive."""

    def three(row: Row) -> str:
        return listed([signed(row.families[name].mean) for name in BLOCKS])

    text = (
        f"**P3 loses with linear on traps, overlapping traps and nested blocks**: {three(direct)} "
        f"against direct, {three(native['p3'])} against native. MIMIC loses against native on "
        f"separable traps ({signed(native['mimic'].families['trap'].mean)})"
    )
    if "long" in study:
        long = study["long"]
        rows = effects(long.values, "linear", "native")
        ltga = next(row for row in rows if row.algorithm == "ltga")
        text += f", LTGA on all three with {long.budget:,} evaluations ({three(ltga)})"
    return f"{text}."


def _ga(study: Study, power: Sequence[Row], other: Sequence[Row]) -> str:
    sides = [other, power]
    if "categories" in study:
        grown = study["categories"]
        chosen = reversed(_grown(grown).values())
        sides += [effects(grown.values, "linear", "native", one) for one in chosen]
    found = [interval(next(row.effect for row in rows if row.algorithm == "ga")) for rows in sides]
    also = f"; on the six families with n = 30 {found[2]} and {found[3]}" if found[2:] else ""
    return (
        "**GA is better with native if N is not a power of two**: the effect of linear is "
        f"{found[0]}, and {found[1]} for N = 2ᵏ{also}."
    )


def _ltga(long: Measured) -> str:
    row = next(row for row in effects(long.values, "linear", "native") if row.algorithm == "ltga")
    return f"; with {long.budget:,} it is {interval(row.effect)}, {_corrected(row)}"


def _corrected(row: Row) -> str:
    shown = "significant" if row.p <= LEVEL else "not significant"
    return f"{shown} after Holm’s correction ({format_p_value(row.p)})"


def _others(study: Study) -> str:
    families = study["families"]
    searches = {
        one: {pair: sample for pair, sample in pairs.items() if pair.algorithm in PLAIN}
        for one, pairs in families.values.items()
    }
    found = {
        name: pooled(searches, name, "native", is_other(families))
        for name in ("linear", "balanced", "compact")
    }
    figures = ", ".join(f"`{name}` {interval(effect)}" for name, effect in found.items())
    return (
        "**`balanced` and `compact` do not close this gap**: against native, for the same N, "
        f"averaged over {listed(PLAIN)}: {figures}."
    )


def _bits(size: Measured) -> str:
    found = {
        (first, second): effects(size.values, first, second)
        for first, second in (("direct:7", "direct"), ("linear:3", "linear"))
    }
    parts = []
    for (first, second), rows in found.items():
        same = [row.algorithm for row in rows if row.verdict == "equivalent"]
        changed = [
            f"{row.algorithm} ({signed(row.effect.mean)})"
            for row in rows
            if row.verdict in ("better", "worse")
        ]
        parts.append(
            f"`{first}` is equivalent to `{second}` for {len(same)} of {len(rows)} algorithms and "
            f"differs for {listed(changed) or 'none'}"
        )
    return f"**More bits**, by repeating columns: {'; '.join(parts)}."


def _rates(study: Study) -> str:
    parts = []
    for prefix, setting in (("mutation-", "mutation rate"), ("population-", "population")):
        best, _ = at_best([measured.values for measured in swept(study, prefix).values()])
        found = [
            listed([f"{row.algorithm} {signed(row.effect.mean)}" for row in rows])
            for rows in (effects(best, "linear", "direct"), effects(best, "linear", "native"))
        ]
        parts.append(f"{setting}, linear against direct is {found[0]}; against native {found[1]}")
    return f"**With each representation at its best** {'. At its best '.join(parts)}."


def swept(study: Study, prefix: str) -> dict[float, Measured]:
    """Return the complete experiments of a sweep by their setting."""
    found = {
        float(name.removeprefix(prefix)): measured
        for name, measured in study.items()
        if name.startswith(prefix) and measured.done == measured.total
    }
    return dict(sorted(found.items()))


# Sections


def comparison(measured: Measured, first: str, second: str) -> str:
    """Say what a comparison shows, with the table folded."""
    rows = effects(measured.values, first, second)
    return "\n\n".join(
        [
            f"{verdicts(rows, first, second)} {reversals(rows)}",
            folded(f"{first} against {second}, by algorithm and family", effect_table(rows)),
        ]
    )


def powers(measured: Measured) -> str:
    """Show linear against native where N is a power of two, and where it is not."""
    parts = []
    for title, chosen in (("N = 2ᵏ", is_power(measured)), ("other N", is_other(measured))):
        rows = effects(measured.values, "linear", "native", chosen)
        over = pooled(measured.values, "linear", "native", chosen)
        parts += [
            f"*{title}*, {interval(over)} over all algorithms; "
            f"{verdicts(rows, 'linear', 'native')} {reversals(rows)}",
            folded(f"linear against native, {title}", effect_table(rows)),
        ]
    return "\n\n".join(parts)


CONSEQUENCES = (
    ("p3", "direct", -1, "pairs of linear's bits are independent of the categories"),
    ("p3", "native", -1, "the same, and native sees whole variables"),
    ("mimic", "native", -1, "its chain consists of pairs of bits"),
    ("rls", "native", 0, "with N = 2ᵏ it is the same search"),
    ("hc", "native", 0, "with N = 2ᵏ it is the same search"),
    ("sa", "native", 0, "with N = 2ᵏ it is the same search"),
)


def traps(measured: Measured) -> str:
    """Hold what theory says of traps against the runs."""
    lines = []
    for algorithm, second, sign, reason in CONSEQUENCES:
        for family in BLOCKS:
            chosen = [
                one
                for one in measured.values
                if family_of(one) == family and (sign or is_power(measured)(one))
            ]
            rows = effects(measured.values, "linear", second, chosen.__contains__)
            effect = next(row.effect for row in rows if row.algorithm == algorithm)
            if sign:
                held = effect.high < 0
            else:
                held = effect.low <= 0 <= effect.high
            expected = "linear is worse" if sign else "no difference"
            lines.append(
                [
                    f"{algorithm}, linear against {second}",
                    *(family, expected, interval(effect), "yes" if held else "no", reason),
                ]
            )
    kept = sum(line[4] == "yes" for line in lines)
    head = ["comparison", "family", "theory", "effect (95 %)", "consistent", "because"]
    return (
        f"The runs agree with {kept} of {len(lines)} consequences of the theory: the interval lies "
        "on the predicted side, or contains 0 where no difference is predicted. The list was "
        "written after the first runs of P3 and MIMIC on traps, so this is a check of the theory, "
        "not a test of a prediction.\n\n" + folded("All consequences", table(head, lines))
    )


def growth(study: Study) -> str:
    """Say how effects against native change with N."""
    measured = study["categories"]
    sizes = sorted({facts.categories for facts in measured.facts.values()})
    per = len(measured.values) // len(sizes)
    parts = []
    for title, chosen in _grown(measured).items():
        rows = effects(measured.values, "linear", "native", chosen)
        parts += [
            f"*{title}*, {verdicts(rows, 'linear', 'native')} {reversals(rows)}",
            folded(
                f"linear against native by the number of categories, {title}", effect_table(rows)
            ),
        ]
    by_size = [
        (size, row)
        for size in sizes
        for row in effects(
            measured.values,
            "linear",
            "native",
            lambda one, size=size: measured.facts[one].categories == size,
        )
    ]
    adjusted = holm([row.effect.p for _, row in by_size])
    shown: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for (size, row), p in zip(by_size, adjusted, strict=True):
        if p <= LEVEL:
            shown[row.effect.mean > 0].setdefault(row.algorithm, []).append(str(size))
    better, worse = (
        "; ".join(f"{name} at N = {listed(at)}" for name, at in shown[sign].items()) or "none"
        for sign in (True, False)
    )
    p3 = {size: row.effect for size, row in by_size if row.algorithm == "p3"}
    least = min(p3, key=lambda size: p3[size].mean)
    return "\n\n".join(
        [
            *parts,
            folded(
                "At a single N",
                f"There are only {per} instances at each N, two of each family. Significant at a "
                f"single N (after Holm’s correction over all {len(by_size)} comparisons): linear "
                f"is worse with {worse}; linear is better with {better}.",
            ),
            f"For p3 the effect is {interval(p3[least])} at N = {least}, and rises to "
            f"{interval(p3[sizes[-1]])} at N = {sizes[-1]}.",
        ]
    )


def _grown(measured: Measured) -> dict[str, Callable[[str], bool]]:
    """Return which instances of *categories* are compared together; N = 2 has one bit."""
    return {
        "N = 4 to 64, powers of two": lambda one: (
            is_power(measured)(one) and measured.facts[one].categories > 2
        ),
        "N = 3 to 20, other N": is_other(measured),
    }


def rates(study: Study) -> str:
    """Say what the best settings are, and compare at them."""
    parts = []
    for prefix, title in (
        ("mutation-", "mutation rate, in units of 1/bits"),
        ("population-", "population"),
        ("individuals-", "number of individuals"),
    ):
        sweeps = swept(study, prefix)
        if len(sweeps) < 2:
            continue
        best, order = at_best([measured.values for measured in sweeps.values()])
        settings = list(sweeps)
        some = next(iter(sweeps.values()))
        head = ["", *some.representations]
        rows = [
            [name, *(f"{settings[order[Pair(name, code)][0]]:g}" for code in some.representations)]
            for name in some.algorithms
        ]
        parts.append(
            folded(f"The best {title}, by algorithm and representation", table(head, rows))
        )
        for second in ("direct", "native"):
            found = effects(best, "linear", second)
            setting = title.partition(",")[0]
            text = verdicts(found, "linear", second)
            parts.append(f"Each at its best {setting}, {text} {reversals(found)}")
            parts.append(
                folded(f"linear against {second}, at the best setting of each", effect_table(found))
            )
    return "\n\n".join(parts)


def order(study: Study) -> str:
    """Say what an order of the categories is worth."""
    parts = []
    for name, when in (("ordered", "in order"), ("order-removed", "shuffled")):
        samples = study[name].runtimes_or_values()
        for first in ("gray", "unary"):
            rows = effects(samples, first, "native")
            parts.append(f"Categories {when}, {verdicts(rows, first, 'native')}")
            parts.append(folded(f"{first} against native, {when}", effect_table(rows)))
    return "\n\n".join(parts)


def losses(measured: Measured) -> str:
    """Show mean losses in percent of the range of values."""
    lost = measured.losses()
    rows = []
    for name in measured.algorithms:
        means = [
            np.mean([pairs[Pair(name, one)].mean() for pairs in lost.values()])
            for one in measured.representations
        ]
        rows.append([name, *(f"{100 * mean:.1f}" for mean in means)])
    return folded("Mean losses in percent", table(["", *measured.representations], rows))


def best(measured: Measured, most: int = 12) -> str:
    """Show the pairs of the best mean ranks, over all and in each family."""
    ranks = mean_ranks(measured.values, measured.pairs)
    found = sorted(ranks, key=lambda pair: ranks[pair])
    rows = [[" ".join(pair), f"{ranks[pair]:.1f}"] for pair in found[:most]]
    by_family = []
    for family in dict.fromkeys(map(family_of, measured.values)):
        some = {name: pairs for name, pairs in measured.values.items() if family_of(name) == family}
        inside = mean_ranks(some, measured.pairs)
        first, second, third = sorted(inside, key=lambda pair: inside[pair])[:3]
        by_family.append([family, *(" ".join(pair) for pair in (first, second, third))])
    return "\n\n".join(
        [
            f"Of {len(found)} pairs, **{' with '.join(found[0])}** has the best mean rank "
            f"({ranks[found[0]]:.1f}) over the {len(measured.values)} instances, then "
            f"{' with '.join(found[1])} ({ranks[found[1]]:.1f}).",
            folded("The first twelve", table(["pair", "mean rank"], rows)),
            folded("The first three of each family", table(["family", "1", "2", "3"], by_family)),
        ]
    )


def runs(study: Study) -> str:
    """Say what was run."""
    rows = []
    for name, one in study.items():
        state = f"{one.done:,}" if one.done == one.total else f"{one.done:,} of {one.total:,}"
        sizes = len(one.facts), len(one.algorithms), len(one.representations)
        rows.append([name, *sizes, f"{one.budget:,}", one.runs, state, f"{one.seconds / 60:.1f}"])
    done = sum(one.done for one in study.values())
    whole = sum(one.seconds for one in study.values()) / 3600
    head = ["experiment", "instances", "algorithms", "representations", "evaluations", "runs each"]
    text = f"{done:,} runs, {whole:.1f} hours of one core in the kernels."
    return f"{text}\n\n" + folded("The experiments", table([*head, "runs", "minutes"], rows))


PARTS: Mapping[str, tuple[Sequence[str], Callable[[Study], str]]] = {
    "answers": (("families",), answers),
    "runs": ((), runs),
    "direct": (("families",), lambda study: comparison(study["families"], "linear", "direct")),
    "powers": (("families",), lambda study: powers(study["families"])),
    "traps": (("families",), lambda study: traps(study["families"])),
    "losses": (("families",), lambda study: losses(study["families"])),
    "balanced": (("families",), lambda study: comparison(study["families"], "balanced", "native")),
    "compact": (("families",), lambda study: comparison(study["families"], "compact", "native")),
    "long": (("long",), lambda study: comparison(study["long"], "linear", "native")),
    "long-direct": (("long",), lambda study: comparison(study["long"], "linear", "direct")),
    "categories": (("categories",), growth),
    "size": (("size",), lambda study: comparison(study["size"], "direct:7", "direct")),
    "size-linear": (("size",), lambda study: comparison(study["size"], "linear:3", "linear")),
    "rates": (("mutation-1",), rates),
    "order": (("ordered", "order-removed"), order),
    "defaults": (("defaults",), lambda study: comparison(study["defaults"], "linear", "native")),
    "best": (("families",), lambda study: best(study["families"])),
}


def sections(study: Study) -> dict[str, str]:
    """Write all parts; say so where an experiment has not been run."""
    return {
        name: write(study)
        if all(one in study and study[one].values for one in wanted)
        else f"Not run yet: {listed(wanted)}."
        for name, (wanted, write) in PARTS.items()
    }
