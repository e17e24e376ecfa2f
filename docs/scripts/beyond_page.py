"""The generated parts of the page "Beyond the paper": every figure in them is measured."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from beyond_study import Effect, Measured, advice, best_pairs, effects, only, with_categories

from catcube.problems.suites import family_of
from catcube.statistics import Pair, leads

Study = Mapping[str, Measured]
MORE = 10**9


def listed(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def row(cells: Iterable[object]) -> str:
    """Write a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table whose first column is text."""
    rule = "|---|" + "---:|" * (len(head) - 1)
    return "\n".join([row(head), rule, *map(row, rows)])


def verdict(found: Sequence[Effect]) -> str:
    """Say in a sentence for which algorithms the first representation is better or worse."""
    first, second = found[0].first, found[0].second
    better = [effect.algorithm for effect in found if effect.interval.low > 0]
    worse = [effect.algorithm for effect in found if effect.interval.high < 0]
    rest = [effect.algorithm for effect in found if not effect.is_clear]
    parts = []
    if better:
        parts.append(f"**`{first}` is better than `{second}`** with {listed(better)}")
    if worse:
        parts.append(f"**`{first}` is worse than `{second}`** with {listed(worse)}")
    if rest:
        parts.append(
            f"there is no clear difference of `{first}` and `{second}` with {listed(rest)}"
        )
    text = "; ".join(parts)
    return text[0].upper() + text[1:] + "."


def described(effect: Effect) -> str:
    """Write an effect, its interval and on how many instances it is significant."""
    low, high = effect.interval
    return (
        f"{effect.delta:+.2f} ({low:+.2f} to {high:+.2f}), {effect.better}:{effect.worse}"
        f" of {effect.instances}"
    )


def effect_table(columns: Mapping[str, Sequence[Effect]]) -> str:
    """Write effects, one row per algorithm and one column per comparison."""
    by_name = {
        title: {effect.algorithm: effect for effect in found} for title, found in columns.items()
    }
    names = list(dict.fromkeys(name for found in by_name.values() for name in found))
    rows = [
        [name, *(described(cells[name]) if name in cells else "" for cells in by_name.values())]
        for name in names
    ]
    return table(["", *columns], rows)


def is_power_of_two(N: int) -> bool:
    """Tell whether N is a power of two."""
    return N & (N - 1) == 0


def runs(study: Study) -> str:
    """Say what was run."""
    rows = []
    for name, measured in study.items():
        state = (
            f"{measured.done:,}"
            if measured.done == measured.total
            else f"{measured.done:,} of {measured.total:,}"
        )
        counts = len(measured.facts), len(measured.algorithms), len(measured.representations)
        rows.append(
            [
                name,
                *counts,
                f"{measured.budget:,}",
                measured.runs,
                state,
                f"{measured.seconds / 60:.1f}",
            ]
        )
    head = ["experiment", "instances", "algorithms", "representations", "evaluations", "runs each"]
    whole = sum(measured.seconds for measured in study.values()) / 60
    done = sum(measured.done for measured in study.values())
    return (
        table([*head, "runs", "minutes in kernels"], rows)
        + f"\n\n{done:,} runs, {whole:.0f} minutes of one core in the kernels."
    )


def linear_or_direct(study: Study) -> str:
    """Answer whether linear beats direct, and whether it is native."""
    measured = study["families"]
    direct = effects(measured.values, "linear", "direct")
    native = effects(measured.values, "linear", "native")
    return "\n\n".join(
        [
            verdict(direct),
            verdict(native),
            effect_table({"linear against direct": direct, "linear against native": native}),
        ]
    )


def longer(study: Study) -> str:
    """Show the same effects with the paper's budget."""
    measured = study["long"]
    couples = [("linear", "direct"), ("linear", "native"), ("direct", "native")]
    found = {f"{a} against {b}": effects(measured.values, a, b) for a, b in couples}
    return "\n\n".join([*(verdict(one) for one in found.values()), effect_table(found)])


def overtaking(study: Study) -> str:
    """Say after how many evaluations native LTGA leads for good."""
    measured = study["long"]
    begins = []
    for instance, pairs in measured.curves.items():
        native, linear = (pairs[Pair("ltga", name)] for name in ("native", "linear"))
        last = leads(native, linear, measured.budget)[-1]
        begin = last.begin / measured.facts[instance].variables
        begins.append(begin if last.first else np.inf)
    return (
        f"On {np.isfinite(begins).sum()} of the {len(begins)} instances native LTGA leads at the "
        "end, by the share of targets reached. Over all of them the median of where its lead "
        f"begins is {np.median(begins):,.0f} evaluations per variable."
    )


def by_power(study: Study) -> str:
    """Show linear against native where N is a power of two, and where it is not."""
    pooled: dict[str, Mapping[Pair, np.ndarray]] = {}
    power: dict[str, bool] = {}
    for name in ("families", "categories"):
        if name in study:
            pooled |= study[name].values
            facts = study[name].facts
            power |= {one: is_power_of_two(facts[one].categories) for one in facts}
    columns = {
        title: effects(pooled, "linear", "native", [one for one in pooled if power[one] == wanted])
        for title, wanted in (("N = 2ᵏ", True), ("other N", False))
    }
    same = [one for one in columns["N = 2ᵏ"] if one.algorithm in ("rls", "hc", "sa")]
    shares = ", ".join(
        f"{one.algorithm} {one.delta:+.2f} ({one.interval.low:+.2f} to {one.interval.high:+.2f})"
        for one in same
    )
    text = (
        f"Theory says that rls, hc and sa are the same searches where N = 2ᵏ; measured: {shares}."
    )
    return f"{text}\n\n{effect_table(columns)}"


def by_family(study: Study) -> str:
    """Show the two effects in each family of problems, over all algorithms."""
    measured = study["families"]
    families: dict[str, list[str]] = {}
    for instance in measured.values:
        families.setdefault(family_of(instance), []).append(instance)
    couples = [("linear", "direct"), ("linear", "native"), ("direct", "native")]
    rows: list[list[str]] = []
    for family, instances in families.items():
        cells = [family, ", ".join(str(measured.facts[one].categories) for one in instances)]
        for first, second in couples:
            found = effects(only(measured.values, instances), first, second)
            better, worse = sum(one.better for one in found), sum(one.worse for one in found)
            mean = float(np.mean([one.delta for one in found]))
            cells.append(f"{mean:+.2f}, {better}:{worse} of {sum(one.instances for one in found)}")
        rows.append(cells)
    return table(["family", "N", *(f"{first} against {second}" for first, second in couples)], rows)


def losses(study: Study) -> str:
    """Show mean losses in percent of the range of values."""
    measured = study["families"]
    lost = measured.losses()
    rows = []
    for name in measured.algorithms:
        means = [
            float(np.mean([pairs[Pair(name, one)].mean() for pairs in lost.values()]))
            for one in measured.representations
        ]
        rows.append([name, *(f"{100 * mean:.1f}" for mean in means)])
    return table(["", *measured.representations], rows)


def other_sizes(study: Study) -> str:
    """Compare balanced and compact with linear where N is not a power of two."""
    columns: dict[str, list[Effect]] = {}
    sentences = []
    pooled: dict[str, dict[Pair, np.ndarray]] = {}
    for name in ("families", "categories"):
        if name in study:
            facts = study[name].facts
            pooled |= {
                one: pairs
                for one, pairs in study[name].values.items()
                if not is_power_of_two(facts[one].categories)
            }
    for first in ("balanced", "compact"):
        for second in ("linear", "native"):
            found = effects(pooled, first, second)
            columns[f"{first} against {second}"] = found
            if second == "linear":
                sentences.append(verdict(found))
    return "\n\n".join([*sentences, effect_table(columns)])


def size(study: Study) -> str:
    """Answer whether bits explain losses."""
    measured = study["size"]
    couples = [("direct:7", "direct"), ("linear:3", "linear"), ("linear:3", "direct:7")]
    found = {
        f"{first} against {second}": effects(measured.values, first, second)
        for first, second in couples
    }
    return "\n\n".join([*(verdict(one) for one in found.values()), effect_table(found)])


def order(study: Study) -> str:
    """Answer what order is worth."""
    columns = {}
    sentences = []
    for name, when in (("ordered", "in order"), ("order-removed", "shuffled")):
        for first in ("gray", "unary"):
            found = effects(study[name].runtimes_or_values(), first, "native")
            columns[f"{first} against native, {when}"] = found
            sentences.append(f"Categories {when}: {verdict(found)}")
    return "\n\n".join([*sentences, effect_table(columns)])


def defaults(study: Study) -> str:
    """Show the same effects with the default settings."""
    measured = study["defaults"]
    couples = [("linear", "direct"), ("linear", "native")]
    found = {
        f"{first} against {second}": effects(measured.values, first, second)
        for first, second in couples
    }
    return "\n\n".join([*(verdict(one) for one in found.values()), effect_table(found)])


def anytime(study: Study) -> str:
    """Show areas over the convergence curves."""
    measured = study["families"]
    areas = measured.areas()
    rows = []
    for name in measured.algorithms:
        means = [
            float(np.mean([pairs[Pair(name, one)] for pairs in areas.values()]))
            for one in measured.representations
        ]
        rows.append([name, *(f"{mean:.3f}" for mean in means)])
    return table(["", *measured.representations], rows)


def optimum(study: Study) -> str:
    """Show how many runs reach an optimum that is known."""
    measured = study["families"]
    known = [one for one in measured.runtimes if measured.facts[one].optimum is not None]
    rows = []
    for name in measured.algorithms:
        shares = []
        for one in measured.representations:
            reached = np.concatenate([measured.runtimes[i][Pair(name, one)] for i in known])
            shares.append(f"{100 * np.isfinite(reached).mean():.0f}")
        rows.append([name, *shares])
    text = f"Percent of the runs on {len(known)} instances whose optimum is known."
    return f"{text}\n\n{table(['', *measured.representations], rows)}"


def best(study: Study, most: int = 12) -> str:
    """Show the pairs of the best mean ranks."""
    found = list(best_pairs(study["families"].values).items())
    rows = [[f"{pair.algorithm}, {pair.representation}", f"{rank:.1f}"] for pair, rank in found]
    first = found[0][0]
    text = (
        f"Of {len(found)} pairs, **{first.algorithm} with {first.representation}** has the best "
        "mean rank over the instances of all families."
    )
    return f"{text}\n\n{table(['pair', 'mean rank'], rows[:most])}"


def advised(study: Study) -> str:
    """Advise on a representation for each algorithm, by N and n."""
    pooled: dict[str, Mapping[Pair, np.ndarray]] = {}
    categories: dict[str, int] = {}
    for name in ("families", "categories"):
        if name in study:
            pooled |= study[name].values
            categories |= {one: facts.categories for one, facts in study[name].facts.items()}
    bounds = {"N ≤ 4": (1, 4), "5 ≤ N ≤ 16": (5, 16), "N > 16": (17, MORE)}
    large = [
        measured
        for name, measured in study.items()
        if name in ("variables-300", "variables-1000") and measured.values
    ]
    columns = {
        title: (with_categories(pooled, categories, *limits), study["families"].representations)
        for title, limits in bounds.items()
    }
    if large:
        samples = {one: measured.values[one] for measured in large for one in measured.values}
        columns["n ≥ 300, N = 8"] = samples, large[0].representations
    rows, worse = [], []
    for name in study["families"].algorithms:
        found = {title: advice(column[0], name, column[1]) for title, column in columns.items()}
        rows.append([name, *map(_cell, found.values())])
        worse += [
            f"{name} ({title})"
            for title, one in found.items()
            if one is not None and "linear" not in (one.best, *one.as_good)
        ]
    head = ["", *columns]
    text = f"Linear is significantly worse than the best: {', '.join(worse) or 'nowhere'}."
    return "\n".join([row(head), "|" + "---|" * len(head), *map(row, rows), "", text])


def _cell(found: object) -> str:
    if found is None:
        return "–"
    others = found.as_good[:3]
    more = f" (or {', '.join(others)}{', …' if len(found.as_good) > 3 else ''})" if others else ""
    return f"**{found.best}**{more}"


SECTIONS = {
    "runs": ((), runs),
    "linear": (("families",), linear_or_direct),
    "long": (("long",), longer),
    "overtaking": (("long",), overtaking),
    "powers": (("families",), by_power),
    "families": (("families",), by_family),
    "losses": (("families",), losses),
    "other-sizes": (("families",), other_sizes),
    "size": (("size",), size),
    "order": (("ordered", "order-removed"), order),
    "defaults": (("defaults",), defaults),
    "anytime": (("families",), anytime),
    "optimum": (("families",), optimum),
    "best": (("families",), best),
    "advice": (("families",), advised),
}


def sections(study: Study) -> dict[str, str]:
    """Write all parts whose experiments are there."""
    return {
        name: write(study)
        for name, (wanted, write) in SECTIONS.items()
        if all(one in study and study[one].values for one in wanted)
    }
