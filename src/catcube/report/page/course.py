"""The section of an ECDF."""

from catcube.analysis.model import Course
from catcube.report.page import charts as page_charts
from catcube.report.page.charts import figure
from catcube.report.page.markup import chooser, paragraph
from catcube.report.page.parts import Parts, missing_runs, nothing


def course(section: Course, parts: Parts) -> list[str]:
    """The curves, their levels, and who is ahead when."""
    conditions = section.conditions
    opening = [
        paragraph(
            f"Which share of the targets is reached by which number of evaluations, up to "
            f"{conditions.budget:,}? On each instance the targets divide the way from the worst "
            "first to the best final value evenly; the higher or further left a curve, the better."
        ),
        missing_runs(section),
    ]
    if not section.curves and not section.by_instance:
        return [*opening, nothing("curves need a pair with all its runs done")]
    choice = f"{parts.identity}-instance"
    chart = page_charts.ecdf_curves(section, choice)
    number = parts.charts.add(chart)
    return [
        *opening,
        chooser(choice, "Curves over", list(chart["names"].items())),
        "<h3>All pairs</h3>",
        figure(
            number,
            "overall",
            "Colours are algorithms; linear is solid, direct dashed. The key is ordered by final "
            "levels, and shows the levels where the pointer is. A click on a key hides or shows "
            "its curve.",
        ),
        "<h3>Linear and direct for each algorithm</h3>",
        figure(number, "each", "The same curves, an algorithm at a time."),
        "<h3>Levels and leads</h3>",
        *parts.shown("levels", "leads"),
    ]
